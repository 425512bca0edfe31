/**
 * Writes an archive from front to back. Parts that are known only later, such as the length of a table or the
 * manifest, are written afterwards into reserved space.
 */
import { open, rm } from 'node:fs/promises'
import { lowPriorityHash, sha256Of } from '../../../base/hash/sha256.ts'
import {
  CHECKSUMS,
  checksumLine,
  MANIFEST,
  MANIFEST_BYTES,
  type Manifest,
} from '../../../contract/upload/archive.ts'
import { longPath } from '../../../storage/local/platform.ts'
import { createAppender, writeAt } from './append.ts'
import { piecesOf } from './read-file.ts'
import { END_BYTES, paddingOf, tarHeader } from './tar.ts'

/** Maximum bytes of an entry of unknown length: its reserved header has no room for a pax record. */
const ENTRY_LIMIT = 8 ** 11 - 1
/** The last second that a header can hold, in the year 2242. */
const LATEST = 8 ** 11 - 1

const ZEROS = new Uint8Array(MANIFEST_BYTES)

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type ArchiveWriter = Awaited<ReturnType<typeof createArchive>>

export async function createArchive(file: string, at: number) {
  const archive = await open(longPath(file), 'wx+')
  const list = await createChecksumList(`${file}-liste`).catch(async error => {
    await archive.close()
    throw error
  })
  const out = createAppender(archive)
  const appendHead = (name: string, size: number) => out.append(entryHeader(name, size, at))
  const appendZeros = (count: number) => out.append(ZEROS.subarray(0, count))

  await appendHead(MANIFEST, MANIFEST_BYTES)
  const manifestStart = out.position
  await appendZeros(MANIFEST_BYTES)

  return {
    /** The start of the next entry; after `finish`, the length of the archive. */
    get bytes() {
      return out.position
    },

    /**
     * Writes an entry of unknown length. Returns the position and length of its content, which can be read
     * from then on.
     */
    async appendEntry(name: string, content: Content) {
      const headStart = out.position
      await appendHead(name, 0)
      const start = out.position
      const sha256 = await sha256Of(content, out.append, lowPriorityHash())
      const size = out.position - start
      if (size > ENTRY_LIMIT) throw new Error(`${name} has become longer than a tar header can say`)
      await appendZeros(paddingOf(size))
      await out.writeBuffer()
      await writeAt(archive, entryHeader(name, size, at), headStart)
      await list.add(name, sha256)
      return { start, size }
    },

    /** Writes the checksums, the end and the manifest. When it resolves, everything is flushed to disk. */
    async finish(facts: Omit<Manifest, 'pruefsummen_ab'>) {
      const manifest = manifestText({ ...facts, pruefsummen_ab: out.position })
      // The manifest's line is the first, as the manifest is the first entry.
      const first = Buffer.from(checksumLine(Bun.SHA256.hash(manifest, 'hex'), MANIFEST))
      const size = first.length + list.bytes
      await appendHead(CHECKSUMS, size)
      for await (const lines of list.content(first)) await out.append(lines)
      await appendZeros(paddingOf(size) + END_BYTES)
      await out.writeBuffer()
      await writeAt(archive, manifest, manifestStart)
      await archive.sync()
    },

    /** Closes the archive and removes the temporary list of checksums. */
    async [Symbol.asyncDispose]() {
      await archive.close()
      await list.close()
    },
  }
}

/** `time` in Unix milliseconds. */
export const entryHeader = (name: string, size: number, time: number) =>
  tarHeader({ name, size, time: Math.min(LATEST, Math.max(0, Math.floor(time / 1000))) })

/** The checksums, one line per entry; in a temporary file until they are appended to the archive. */
async function createChecksumList(file: string) {
  const handle = await open(longPath(file), 'wx+')
  const lines = createAppender(handle)
  return {
    get bytes() {
      return lines.position
    },
    add: (name: string, sha256: string) => lines.append(Buffer.from(checksumLine(sha256, name))),
    /** All lines: `first`, then those that `add` has appended. */
    async *content(first: Uint8Array) {
      yield first
      await lines.writeBuffer()
      yield* piecesOf(handle, 0, lines.position)
    },
    async close() {
      await handle.close()
      await rm(longPath(file), { force: true })
    },
  }
}

/** The manifest as JSON, padded with spaces to its fixed length. */
export function manifestText(manifest: Manifest): Buffer {
  const text = Buffer.from(JSON.stringify(manifest, null, 2))
  if (text.length >= MANIFEST_BYTES) throw new Error('the manifest is longer than the room left for it')
  const padded = Buffer.alloc(MANIFEST_BYTES, ' ')
  text.copy(padded)
  padded.write('\n', MANIFEST_BYTES - 1)
  return padded
}
