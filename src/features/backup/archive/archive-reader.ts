/** Reads an archive through a moving window, as a system call for each small entry would be slow. */
import { type FileHandle, open } from 'node:fs/promises'
import { archiveTrouble, restoreRefusal } from '../../../errors/errors.ts'
import { longPath } from '../../../storage/local/platform.ts'
import { linesOf } from './read-file.ts'
import { paddingOf, type ReadAt, type ReadEntry, readEntry } from './tar.ts'

const WINDOW = 256 * 1024
/**
 * Bytes read at a position that does not follow the previous read: often a header whose content is skipped.
 */
const FIRST_WINDOW = 16 * 1024

export interface ArchiveFile extends AsyncDisposable {
  readonly size: number
  /** The bytes are valid only until the next call. */
  readonly read: ReadAt
  /** Returns another `read` with a window of its own, for reading at two positions in turn. */
  newWindow(): ReadAt
}

export async function openArchive(file: string): Promise<ArchiveFile> {
  try {
    const handle = await open(longPath(file), 'r')
    const facts = await handle.stat()
    const newWindow = () => windowOn(handle)
    if (facts.isFile())
      return { size: facts.size, read: newWindow(), newWindow, [Symbol.asyncDispose]: () => handle.close() }
    await handle.close()
    throw Object.assign(new Error('no file'), { code: 'EISDIR' })
  } catch (error) {
    throw restoreRefusal.archiveAbsent(file, error)
  }
}

function windowOn(handle: FileHandle): ReadAt {
  const buffer = Buffer.allocUnsafe(WINDOW)
  let from = 0
  let filled = 0
  return async (position, wanted) => {
    const length = Math.min(wanted, WINDOW)
    if (position < from || position + length > from + filled) {
      const isNext = filled > 0 && position >= from && position <= from + filled
      const window = isNext ? WINDOW : Math.max(length, FIRST_WINDOW)
      from = position
      filled = 0
      while (filled < window) {
        const { bytesRead } = await handle.read(buffer, filled, window - filled, from + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
    }
    return buffer.subarray(position - from, Math.min(position - from + length, filled))
  }
}

type Range = Pick<ReadEntry, 'start' | 'size'>

/** Yields at most one window of bytes at a time. Ends early if the archive ends early. */
export async function* contentOf(read: ReadAt, { start, size }: Range): AsyncGenerator<Uint8Array> {
  for (let position = start; position < start + size; ) {
    const chunk = await read(position, Math.min(WINDOW, start + size - position))
    if (chunk.length === 0) return
    position += chunk.length
    yield chunk
  }
}

export const endOf = ({ start, size }: ReadEntry) => start + size + paddingOf(size)

/** Yields the entries up to `until`. The headers of the archive must have been verified before. */
export async function* entriesOf({ read }: ArchiveFile, until: number): AsyncGenerator<ReadEntry> {
  for (let at = 0; at < until; ) {
    const entry = await readEntry(read, at)
    if (entry === null) throw archiveTrouble.endBroken()
    yield entry
    at = endOf(entry)
  }
}

/** The lines of an entry, read through a window of their own. */
export const entryLines = (archive: ArchiveFile, entry: Range) =>
  linesOf(contentOf(archive.newWindow(), entry))

export async function isZero(read: ReadAt, position: number, length: number): Promise<boolean> {
  if (length === 0) return true
  const bytes = await read(position, length)
  return bytes.length === length && bytes.every(byte => byte === 0)
}
