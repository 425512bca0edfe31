import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Server } from './server.ts'

/** Uploads under way while the files are put in place; as many as make the disk's flushes overlap well. */
const PARALLEL = 16

export interface FileSet {
  size: number
  paths: string[]
}

export function fileSet(name: string, size: number, count: number): FileSet {
  // A hundred to a folder, as people keep them.
  const path = (n: number) => `bench/${name}/${Math.floor(n / 100)}/${n % 100}.bin`
  return { size, paths: Array.from({ length: count }, (_, n) => path(n)) }
}

type Put = (path: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>

/** Over the wire, as any client. */
export const byUpload =
  (server: Server): Put =>
  async (path, body) => {
    const { method, target, headers } = server.upload(path)
    const response = await fetch(`http://127.0.0.1:${server.port}${target}`, { method, headers, body })
    const answer = await response.text()
    if (response.status !== 200) throw new Error(`upload ${path}: ${response.status} ${answer}`)
  }

/** As files below the folder that the others serve. */
export const asFile =
  (root: string): Put =>
  async (path, bytes) => {
    const file = join(root, 'f', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }

/** Puts the same bytes under the same paths everywhere. */
export async function place(set: FileSet, puts: readonly Put[]): Promise<void> {
  const queue = set.paths.values()
  const worker = async () => {
    for (const path of queue) {
      const bytes = randomBytes(set.size)
      for (const put of puts) await put(path, bytes)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
}

function randomBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

/** A measurement of two different things is none: twenty files of each set, byte for byte. */
export async function mustBeEqual(set: FileSet, servers: readonly Server[]): Promise<void> {
  const step = Math.max(1, Math.ceil(set.paths.length / 20))
  for (let at = 0; at < set.paths.length; at += step) {
    const bodies = await Promise.all(
      servers.map(async server => {
        const response = await fetch(`http://127.0.0.1:${server.port}/f/${set.paths[at]}`)
        if (response.status !== 200)
          throw new Error(`${server.name} answers ${response.status} to ${set.paths[at]}`)
        return Buffer.from(await response.arrayBuffer())
      }),
    )
    const same = bodies.every(each => each.length === set.size && each.equals(bodies[0]!))
    if (!same)
      throw new Error(`${set.paths[at]} differs between ${servers.map(each => each.name).join(' and ')}`)
  }
}

/** How the load asks for files: `confirmed` with what the server said of them before, to be answered 304. */
export type Asking = 'whole' | 'confirmed' | { range: number }

/** Writes the list that load.lua reads. */
export async function writeTargets(
  file: string,
  set: FileSet,
  server: Server,
  asking: Asking,
): Promise<string> {
  const lines: string[] = []
  for (const path of set.paths)
    for (const header of await headersFor(path, set.size, server, asking)) lines.push(`/f/${path}\t${header}`)
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}

/** One request for each. */
async function headersFor(path: string, size: number, server: Server, asking: Asking): Promise<string[]> {
  if (asking === 'whole') return ['']
  if (asking === 'confirmed') return [await confirmation(path, server)]
  const ranges: string[] = []
  for (let from = 0; from + asking.range <= size; from += asking.range)
    ranges.push(`Range: bytes=${from}-${from + asking.range - 1}`)
  return ranges
}

async function confirmation(path: string, server: Server): Promise<string> {
  const { headers } = await fetch(`http://127.0.0.1:${server.port}/f/${path}`, { method: 'HEAD' })
  const etag = headers.get('etag')
  if (etag) return `If-None-Match: ${etag}`
  const modified = headers.get('last-modified')
  if (modified) return `If-Modified-Since: ${modified}`
  throw new Error(`${server.name} gives ${path} neither ETag nor date`)
}
