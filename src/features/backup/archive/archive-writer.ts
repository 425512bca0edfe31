/**
 * Writes an archive from front to back. Parts that are known only later, such as the length of a table or the
 * manifest, are written afterwards into reserved space.
 */
import { open, rm } from 'node:fs/promises'
import { createLowPriorityHash, sha256OfStream } from '../../../base/hash/sha256.ts'
import {
  CHECKSUMS_ENTRY,
  checksumLine,
  MANIFEST_BYTES,
  MANIFEST_ENTRY,
  type Manifest,
} from '../../../contract/service/backup-archive.ts'
import { longPath } from '../../../storage/local/platform.ts'
import { createAppender, writeAt } from './append.ts'
import { readPieces } from './read-file.ts'
import { END_BYTES, paddingOf, tarHeader } from './tar.ts'

/**
 * Maximum length in bytes of an entry whose length is not known in advance: the space reserved for its header
 * has no room for a pax record.
 */
const MAX_ENTRY_BYTES = 8 ** 11 - 1
/** The last second that a header can hold (Unix time), in the year 2242. */
const MAX_HEADER_SECOND = 8 ** 11 - 1

const ZEROS = new Uint8Array(MANIFEST_BYTES)

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type ArchiveWriter = Awaited<ReturnType<typeof createArchiveWriter>>

export async function createArchiveWriter(file: string, createdAt: number) {
  const archive = await open(longPath(file), 'wx+')
  const checksums = await createChecksumList(`${file}-liste`).catch(async error => {
    await archive.close()
    throw error
  })
  const appender = createAppender(archive)
  const appendHeader = (name: string, size: number) => appender.append(entryHeader(name, size, createdAt))
  const appendZeros = (count: number) => appender.append(ZEROS.subarray(0, count))

  await appendHeader(MANIFEST_ENTRY, MANIFEST_BYTES)
  const manifestStart = appender.position
  await appendZeros(MANIFEST_BYTES)

  return {
    /** Number of bytes appended so far, which is also the position of the next entry. */
    get length() {
      return appender.position
    },

    /**
     * Writes an entry whose length is not known in advance. Returns the position and length of its content,
     * which can then be read back from the file.
     */
    async appendEntry(name: string, content: Content) {
      const headerStart = appender.position
      await appendHeader(name, 0)
      const start = appender.position
      const sha256 = await sha256OfStream(content, appender.append, createLowPriorityHash())
      const size = appender.position - start
      if (size > MAX_ENTRY_BYTES) throw new Error(`${name} has become longer than a tar header can say`)
      await appendZeros(paddingOf(size))
      await appender.writeBuffer()
      await writeAt(archive, entryHeader(name, size, createdAt), headerStart)
      await checksums.add(name, sha256)
      return { start, size }
    },

    /**
     * Writes the list of checksums, the zeros that end a tar, and the manifest. When it resolves, everything
     * is flushed to disk.
     */
    async finish(manifestFields: Omit<Manifest, 'pruefsummen_ab'>) {
      const manifestBytes = encodeManifest({ ...manifestFields, pruefsummen_ab: appender.position })
      // The manifest is the first entry, so its line is the first in the list.
      const manifestLine = Buffer.from(checksumLine(Bun.SHA256.hash(manifestBytes, 'hex'), MANIFEST_ENTRY))
      const size = manifestLine.length + checksums.byteLength
      await appendHeader(CHECKSUMS_ENTRY, size)
      for await (const lines of checksums.content(manifestLine)) await appender.append(lines)
      await appendZeros(paddingOf(size) + END_BYTES)
      await appender.writeBuffer()
      await writeAt(archive, manifestBytes, manifestStart)
      await archive.sync()
    },

    /** Closes the archive and removes the temporary list of checksums. */
    async [Symbol.asyncDispose]() {
      await archive.close()
      await checksums.close()
    },
  }
}

/** The header of an entry. `time`: Unix milliseconds. */
export const entryHeader = (name: string, size: number, time: number) =>
  tarHeader({ name, size, time: Math.min(MAX_HEADER_SECOND, Math.max(0, Math.floor(time / 1000))) })

/**
 * Creates the list of checksums, with one line per entry. It is kept in a temporary file until it is appended
 * to the archive.
 */
async function createChecksumList(file: string) {
  const handle = await open(longPath(file), 'wx+')
  const appender = createAppender(handle)
  return {
    get byteLength() {
      return appender.position
    },
    add: (name: string, sha256: string) => appender.append(Buffer.from(checksumLine(sha256, name))),
    /** Yields all lines: `firstLine`, then those that `add` has appended. */
    async *content(firstLine: Uint8Array) {
      yield firstLine
      await appender.writeBuffer()
      yield* readPieces(handle, 0, appender.position)
    },
    async close() {
      await handle.close()
      await rm(longPath(file), { force: true })
    },
  }
}

/** The manifest as JSON, padded with spaces to its fixed length. */
export function encodeManifest(manifest: Manifest): Buffer {
  const json = Buffer.from(JSON.stringify(manifest, null, 2))
  if (json.length >= MANIFEST_BYTES) throw new Error('the manifest is longer than the room left for it')
  const paddedJson = Buffer.alloc(MANIFEST_BYTES, ' ')
  json.copy(paddedJson)
  paddedJson.write('\n', MANIFEST_BYTES - 1)
  return paddedJson
}
