/** Reads an archive through a read-ahead window, because a system call for each small entry would be slow. */
import { type FileHandle, open } from 'node:fs/promises'
import { archiveTrouble, restoreRefusal } from '../../../errors/errors.ts'
import { longPath } from '../../../storage/local/platform.ts'
import { splitIntoLines } from './read-file.ts'
import { type LocatedEntry, paddingOf, type ReadAt, readEntry } from './tar.ts'

const WINDOW_BYTES = 256 * 1024
/**
 * Bytes to read at a position that is neither in the window nor directly after it. Less than `WINDOW_BYTES`,
 * because such a read is often for a header whose content is then skipped.
 */
const JUMP_WINDOW_BYTES = 16 * 1024

export interface ArchiveFile extends AsyncDisposable {
  readonly size: number
  /** The returned bytes are valid only until the next call. */
  readonly read: ReadAt
  /** Returns another `read` with a window of its own, for reading alternately at two positions. */
  newReader(): ReadAt
}

export async function openArchive(file: string): Promise<ArchiveFile> {
  try {
    const handle = await open(longPath(file), 'r')
    const stats = await handle.stat()
    const newReader = () => createWindowReader(handle)
    if (stats.isFile())
      return { size: stats.size, read: newReader(), newReader, [Symbol.asyncDispose]: () => handle.close() }
    await handle.close()
    throw Object.assign(new Error('no file'), { code: 'EISDIR' })
  } catch (error) {
    throw restoreRefusal.archiveAbsent(file, error)
  }
}

function createWindowReader(handle: FileHandle): ReadAt {
  const buffer = Buffer.allocUnsafe(WINDOW_BYTES)
  let windowStart = 0
  let windowLength = 0
  return async (position, requestedBytes) => {
    const length = Math.min(requestedBytes, WINDOW_BYTES)
    if (position < windowStart || position + length > windowStart + windowLength) {
      const isSequential =
        windowLength > 0 && position >= windowStart && position <= windowStart + windowLength
      const windowBytes = isSequential ? WINDOW_BYTES : Math.max(length, JUMP_WINDOW_BYTES)
      windowStart = position
      windowLength = 0
      while (windowLength < windowBytes) {
        const { bytesRead } = await handle.read(
          buffer,
          windowLength,
          windowBytes - windowLength,
          windowStart + windowLength,
        )
        if (bytesRead === 0) break
        windowLength += bytesRead
      }
    }
    return buffer.subarray(position - windowStart, Math.min(position - windowStart + length, windowLength))
  }
}

type ArchiveRange = Pick<LocatedEntry, 'start' | 'size'>

/** Yields the bytes of the range, at most `WINDOW_BYTES` at a time. Ends early if the archive ends early. */
export async function* readContent(read: ReadAt, { start, size }: ArchiveRange): AsyncGenerator<Uint8Array> {
  for (let position = start; position < start + size; ) {
    const chunk = await read(position, Math.min(WINDOW_BYTES, start + size - position))
    if (chunk.length === 0) return
    position += chunk.length
    yield chunk
  }
}

/** The position after the content of an entry and its padding. */
export const endOfEntry = ({ start, size }: LocatedEntry) => start + size + paddingOf(size)

/**
 * Yields the entries that begin before the position `end`. Throws if a header is malformed, but does not
 * compare contents with their checksums.
 */
export async function* entriesOf({ read }: ArchiveFile, end: number): AsyncGenerator<LocatedEntry> {
  for (let position = 0; position < end; ) {
    const entry = await readEntry(read, position)
    if (entry === null) throw archiveTrouble.endBroken()
    yield entry
    position = endOfEntry(entry)
  }
}

/**
 * Yields the lines of an entry. They are read through a separate window, so that other reads of the archive
 * do not move it.
 */
export const entryLines = (archive: ArchiveFile, entry: ArchiveRange) =>
  splitIntoLines(readContent(archive.newReader(), entry))

export async function isAllZeros(read: ReadAt, position: number, length: number): Promise<boolean> {
  if (length === 0) return true
  const bytes = await read(position, length)
  return bytes.length === length && bytes.every(byte => byte === 0)
}
