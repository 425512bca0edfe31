/**
 * Writes an archive from front to back into one file. What is known only at its end, such as the length of a table or the
 * manifest, is put in its place then: room was left for it.
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { CHECKSUMS, MANIFEST, MANIFEST_BYTES, type Manifest } from '../../contract/archive.ts'
import { longPath } from '../../storage/platform.ts'
import { type Appender, createAppender, writeAt } from './append.ts'
import { checksumLine } from './checksums.ts'
import { END_BYTES, paddingOf, tarHeader } from './tar.ts'

/** Its size must fit into a header without pax, which would be longer than the room that was left. */
const GROWING_LIMIT = 8 ** 11 - 1
/** The last second that a header can say, in the year 2242. */
const LATEST = 8 ** 11 - 1

export interface EntryFacts {
  name: string
  size: number
  /** Unix milliseconds. */
  at: number
}

export interface ArchiveWriter {
  /** Where the next entry begins; at the end, how long the archive is. */
  readonly bytes: number
  /** An entry whose length is not known yet; answers where its content lies, readable from now on. */
  growing(name: string, chunks: AsyncIterable<string>): Promise<{ start: number; size: number }>
  /**
   * An entry of exactly `size` bytes, of which `fill` gives as many as it has; the rest are zeros. Answers the SHA-256 of
   * what stands in the archive.
   */
  entry(
    facts: EntryFacts,
    fill: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<string>
  /** Checksums, end and manifest; everything is flushed to disk when it resolves. */
  finish(manifest: Omit<Manifest, 'pruefsummen_ab'>): Promise<void>
  /** Closes and leaves no other file behind than the archive's. */
  close(): Promise<void>
}

export async function createArchive(file: string, at: number): Promise<ArchiveWriter> {
  const listFile = `${file}-liste`
  const handles: FileHandle[] = []
  const make = async (path: string) => {
    const handle = await open(longPath(path), 'wx+')
    handles.push(handle)
    return handle
  }
  async function close(): Promise<void> {
    for (const handle of handles.splice(0)) await handle.close()
    await rm(longPath(listFile), { force: true })
  }
  try {
    const [archive, list] = [await make(file), await make(listFile)]
    return await writing({ archive, list, at, close })
  } catch (error) {
    await close()
    throw error
  }
}

interface Files {
  archive: FileHandle
  /** One line for each entry; too long for memory, and it comes last. */
  list: FileHandle
  at: number
  close(): Promise<void>
}

async function writing({ archive, list, at, close }: Files): Promise<ArchiveWriter> {
  const out = createAppender(archive)
  const lines = createAppender(list)
  const head = (name: string, size: number, time = at) =>
    tarHeader({ name, size, time: Math.min(LATEST, Math.max(0, Math.floor(time / 1000))) })
  const note = (name: string, sha256: string) => lines.append(Buffer.from(checksumLine(sha256, name)))
  const zeros = (count: number) => appendZeros(out, count)

  await out.append(head(MANIFEST, MANIFEST_BYTES))
  const manifestStart = out.position
  await zeros(MANIFEST_BYTES)

  return {
    get bytes() {
      return out.position
    },

    async growing(name, chunks) {
      const header = out.position
      await out.append(head(name, 0))
      const start = out.position
      const hash = new Bun.CryptoHasher('sha256')
      for await (const chunk of chunks) {
        const bytes = Buffer.from(chunk)
        hash.update(bytes)
        await out.append(bytes)
      }
      const size = out.position - start
      if (size > GROWING_LIMIT) throw new Error(`${name} has become longer than a tar header can say`)
      await zeros(paddingOf(size))
      await out.settle()
      await writeAt(archive, head(name, size), header)
      await note(name, hash.digest('hex'))
      return { start, size }
    },

    async entry({ name, size, at: changed }, fill) {
      await out.append(head(name, size, changed))
      const hash = new Bun.CryptoHasher('sha256')
      let left = size
      await fill(async chunk => {
        const fitting = chunk.subarray(0, left)
        left -= fitting.length
        hash.update(fitting)
        await out.append(fitting)
      })
      for (; left > 0; left -= Math.min(left, ZEROS.length)) {
        const chunk = ZEROS.subarray(0, left)
        hash.update(chunk)
        await out.append(chunk)
      }
      await zeros(paddingOf(size))
      const sha256 = hash.digest('hex')
      await note(name, sha256)
      return sha256
    },

    async finish(facts) {
      const manifest = manifestText({ ...facts, pruefsummen_ab: out.position })
      // Its line is the first, as it stands first in the archive; so it is known before the list is written.
      const first = Buffer.from(checksumLine(Bun.SHA256.hash(manifest, 'hex'), MANIFEST))
      await lines.settle()
      await out.append(head(CHECKSUMS, first.length + lines.position))
      await out.append(first)
      await copyInto(out, list, lines.position)
      await zeros(paddingOf(first.length + lines.position) + END_BYTES)
      await out.settle()
      await writeAt(archive, manifest, manifestStart)
      await archive.sync()
    },

    close,
  }
}

function manifestText(manifest: Manifest): Buffer {
  const text = Buffer.from(JSON.stringify(manifest, null, 2))
  if (text.length >= MANIFEST_BYTES) throw new Error('the manifest is longer than the room left for it')
  const padded = Buffer.alloc(MANIFEST_BYTES, ' ')
  text.copy(padded)
  padded.write('\n', MANIFEST_BYTES - 1)
  return padded
}

const ZEROS = new Uint8Array(64 * 1024)

async function appendZeros(out: Appender, count: number): Promise<void> {
  for (let left = count; left > 0; left -= Math.min(left, ZEROS.length))
    await out.append(ZEROS.subarray(0, left))
}

async function copyInto(out: Appender, from: FileHandle, size: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(64 * 1024)
  for (let position = 0; position < size; ) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, size - position), position)
    if (bytesRead === 0) throw new Error('the list of checksums is shorter than it was written')
    await out.append(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}
