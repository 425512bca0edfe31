/**
 * A ZIP on disk, judged by its directory before a byte of it is unpacked. An archive that lies about itself is refused
 * as a whole; single entries that cannot be used are left to the caller.
 */
import type { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ZIP_MAX_BYTES, ZIP_MAX_ENTRIES } from '../../contract/limits.ts'
import { Failure, failure } from '../../errors.ts'
import { nameOf } from './entry-name.ts'

export interface ArchiveEntry {
  /** As the archive has it; one that is far too long is cut, and still too long to be valid. */
  name: string
  kind: 'file' | 'folder' | 'special'
  encrypted: boolean
  method: number
  /** Unpacked, as the directory says. */
  size: number
  crc32: number
  /** Where it lies in the archive: its header, its packed bytes, and the end of those, excluded. */
  header: number
  start: number
  end: number
}

export interface Archive extends Disposable {
  entries: readonly ArchiveEntry[]
  /** The unpacked bytes. Rejects when there are more than announced (`zip-understated`), or they are damaged. */
  read(entry: ArchiveEntry): AsyncIterable<Uint8Array>
}

export const STORED = 0
export const DEFLATED = 8

/** Rejects with 413 when a limit is broken and 400 when the archive is. */
export async function openArchive(file: string): Promise<Archive> {
  // Names and sizes are judged here, entry by entry: yauzl would give the whole archive up for one of them.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
  const zip = await openPromise(file, options).catch(refuse)
  try {
    if (zip.entryCount > ZIP_MAX_ENTRIES) throw failure.zipTooManyEntries(ZIP_MAX_ENTRIES)
    const entries = await readDirectory(zip).catch(refuse)
    return { entries, read: entry => unpacked(zip, entry), [Symbol.dispose]: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

function refuse(error: unknown): never {
  throw error instanceof Failure ? error : failure.zipBroken(error)
}

async function readDirectory(zip: ZipFile): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  let size = 0
  // The directory follows the entries; whatever claims to lie further on lies in it.
  const directory = Number(zip.readEntryCursor)
  for await (const entry of zip.eachEntry()) {
    size += entry.uncompressedSize
    if (size > ZIP_MAX_BYTES) throw failure.zipTooLarge(ZIP_MAX_BYTES)
    // Only what is needed is kept: an entry can drag 200 KB of comments and extra fields along.
    entries.push(await located(zip, entry))
  }
  refuseOverlap(entries, directory)
  return entries
}

async function located(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const name = nameOf(entry)
  return {
    name,
    kind: kindOf(entry, name),
    encrypted: entry.isEncrypted(),
    method: entry.compressionMethod,
    size: entry.uncompressedSize,
    crc32: entry.crc32,
    header: entry.relativeOffsetOfLocalHeader,
    start,
    end: start + entry.compressedSize,
  }
}

const UNIX_TYPE = 0xf000
const UNIX_FOLDER = 0x4000
const UNIX_FILE = 0x8000
const DOS_FOLDER = 0x10

/** The upper half of the attributes is a Unix mode, where there is one; links, devices and pipes say so there. */
function kindOf({ externalFileAttributes }: Entry, name: string): ArchiveEntry['kind'] {
  const type = (externalFileAttributes >>> 16) & UNIX_TYPE
  if (type !== 0 && type !== UNIX_FILE && type !== UNIX_FOLDER) return 'special'
  const folder = name.endsWith('/') || type === UNIX_FOLDER || (externalFileAttributes & DOS_FOLDER) !== 0
  return folder ? 'folder' : 'file'
}

/** Entries that share their bytes: 10 MB of archive can unpack to petabytes that way (Fifield, 2019). */
function refuseOverlap(entries: readonly ArchiveEntry[], directory: number): void {
  const inOrder = entries.toSorted((a, b) => a.header - b.header)
  for (const [at, { end }] of inOrder.entries()) {
    if (end > (inOrder[at + 1]?.header ?? directory)) throw failure.zipOverlapping()
  }
}

async function* unpacked(zip: ZipFile, entry: ArchiveEntry): AsyncGenerator<Uint8Array> {
  let size = 0
  let checksum = 0
  for await (const chunk of inflated(await packed(zip, entry), entry)) {
    size += chunk.length
    if (size > entry.size) throw failure.zipUnderstated()
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (size !== entry.size || checksum !== entry.crc32) throw failure.entryBroken()
}

function packed(zip: ZipFile, { start, end }: ArchiveEntry): Promise<Readable> {
  return new Promise((resolve, reject) =>
    zip.openReadStreamLowLevel(start, end - start, 0, end - start, false, null, (error, stream) =>
      error ? reject(error) : resolve(stream),
    ),
  )
}

async function* inflated(source: Readable, { method }: ArchiveEntry): AsyncGenerator<Uint8Array> {
  const target = method === DEFLATED ? inflating(source) : source
  try {
    for await (const chunk of target) yield chunk as Uint8Array
  } catch {
    throw failure.entryBroken()
  } finally {
    source.destroy()
    target.destroy()
  }
}

function inflating(source: Readable): Readable {
  const inflate = createInflateRaw()
  source.on('error', error => inflate.destroy(error)).pipe(inflate)
  return inflate
}
