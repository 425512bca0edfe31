/**
 * Opens a ZIP archive on disk and checks its directory before anything is unpacked. An archive whose
 * directory is wrong is refused as a whole. The caller decides whether single entries can be used.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { ZIP_MAX_BYTES, ZIP_MAX_ENTRIES } from '../../contract/upload/zip-limits.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { MAX_ENTRY_NAME } from './clean-entry-name.ts'

export type ArchiveEntry = Awaited<ReturnType<typeof locateEntry>>

export type Archive = Awaited<ReturnType<typeof openArchive>>

export const METHOD_STORED = 0
export const METHOD_DEFLATED = 8

/** `bytes`: maximum total of the unpacked bytes. */
const UPLOAD_LIMITS = { entries: ZIP_MAX_ENTRIES as number, bytes: ZIP_MAX_BYTES as number }

/** Opens an archive. Rejects with 413 if it exceeds a limit, and with 400 if it is broken. */
export async function openArchive(file: string, limits = UPLOAD_LIMITS) {
  // `decodeStrings` and `validateEntrySizes` are off: their checks would refuse the whole archive because of
  // one bad entry.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
  const zip = await openPromise(file, options).catch(rethrowAsFailure)
  try {
    if (zip.entryCount > limits.entries) throw failure.zipTooManyEntries(limits.entries)
    const entries = await readDirectory(zip, limits.bytes).catch(rethrowAsFailure)
    const read = (entry: ArchiveEntry) => unpackEntry(zip, entry)
    return { entries, read, [Symbol.dispose]: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

function rethrowAsFailure(error: unknown): never {
  throw error instanceof Failure ? error : failure.zipBroken(error)
}

async function readDirectory(zip: ZipFile, maxBytes: number): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  let totalSize = 0
  // The directory follows the entries, so an entry that reaches beyond this offset would overlap it.
  const directoryStart = Number(zip.readEntryCursor)
  for await (const entry of zip.eachEntry()) {
    totalSize += entry.uncompressedSize
    if (totalSize > maxBytes) throw failure.zipTooLarge(maxBytes)
    // Only the needed fields are kept: the name, extra fields and comment of an entry can take almost 200 KB.
    entries.push(await locateEntry(zip, entry))
  }
  refuseOverlap(entries, directoryStart)
  return entries
}

async function locateEntry(zip: ZipFile, entry: Entry) {
  const { fileDataStart: dataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const name = entryName(entry)
  return {
    /**
     * The name in the archive. A name that is far too long is cut, and is then still too long to be valid.
     */
    name,
    kind: entryKind(entry, name),
    isEncrypted: entry.isEncrypted(),
    method: entry.compressionMethod,
    /** Unpacked bytes, according to the directory. */
    size: entry.uncompressedSize,
    crc32: entry.crc32,
    /** Offsets of the entry's header, of its packed bytes, and of their end, exclusive. */
    headerOffset: entry.relativeOffsetOfLocalHeader,
    start: dataStart,
    dataEnd: dataStart + entry.compressedSize,
  }
}

const UNIX_TYPE_MASK = 0xf000
const UNIX_FOLDER = 0x4000
const UNIX_FILE = 0x8000
const DOS_DIRECTORY_ATTRIBUTE = 0x10

/** The upper half of the attributes may be a Unix file mode, which shows links, devices and pipes. */
function entryKind({ externalFileAttributes }: Entry, name: string): 'file' | 'folder' | 'special' {
  const type = (externalFileAttributes >>> 16) & UNIX_TYPE_MASK
  if (type !== 0 && type !== UNIX_FILE && type !== UNIX_FOLDER) return 'special'
  const isFolder =
    name.endsWith('/') || type === UNIX_FOLDER || (externalFileAttributes & DOS_DIRECTORY_ATTRIBUTE) !== 0
  return isFolder ? 'folder' : 'file'
}

/** Refuses entries that share bytes: with them a 10 MB archive can unpack to 281 TB (Fifield, 2019). */
function refuseOverlap(entries: readonly ArchiveEntry[], directoryStart: number): void {
  const entriesByOffset = entries.toSorted((a, b) => a.headerOffset - b.headerOffset)
  for (const [index, { dataEnd: end }] of entriesByOffset.entries()) {
    if (end > (entriesByOffset[index + 1]?.headerOffset ?? directoryStart)) throw failure.zipOverlapping()
  }
}

/**
 * Unpacks an entry. Rejects if it has more bytes than the directory announced (`zip-understated`), or if it
 * has fewer or they are damaged (`entry-broken`).
 */
async function* unpackEntry(zip: ZipFile, entry: ArchiveEntry): AsyncGenerator<Uint8Array> {
  let size = 0
  let checksum = 0
  for await (const chunk of inflateEntry(await openPackedStream(zip, entry), entry)) {
    size += chunk.length
    if (size > entry.size) throw failure.zipUnderstated()
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (size !== entry.size || checksum !== entry.crc32) throw failure.entryBroken()
}

function openPackedStream(zip: ZipFile, { start, dataEnd: end }: ArchiveEntry): Promise<Readable> {
  return new Promise((resolve, reject) =>
    zip.openReadStreamLowLevel(start, end - start, 0, end - start, false, null, (error, stream) =>
      error ? reject(error) : resolve(stream),
    ),
  )
}

async function* inflateEntry(source: Readable, { method }: ArchiveEntry): AsyncGenerator<Uint8Array> {
  const unpackedStream = method === METHOD_DEFLATED ? inflatedStream(source) : source
  try {
    for await (const chunk of unpackedStream) yield chunk as Uint8Array
  } catch {
    throw failure.entryBroken()
  } finally {
    source.destroy()
    unpackedStream.destroy()
  }
}

function inflatedStream(source: Readable): Readable {
  const inflateStream = createInflateRaw()
  source.on('error', error => inflateStream.destroy(error)).pipe(inflateStream)
  return inflateStream
}

/** General purpose bit 11 (APPNOTE 4.4.4): the name is UTF-8, otherwise code page 437. */
const UTF8_FLAG = 0x800

/** The name of an entry. Backslashes are kept, so that the path check can refuse them. */
function entryName(entry: Entry): string {
  const rawName = entry.fileNameRaw
  if (rawName.length > MAX_ENTRY_NAME * 2) return cutName(rawName.toString('latin1'))
  // macOS writes UTF-8 without the flag. A name with umlauts in code page 437 is hardly ever valid UTF-8, so
  // `isUtf8` tells the two apart.
  if (!(entry.generalPurposeBitFlag & UTF8_FLAG) && !isAscii(rawName) && isUtf8(rawName))
    return cutName(rawName.toString())
  return cutName(getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true))
}

/** Cuts a long name. The result is a copy, because a substring would keep the whole string in memory. */
function cutName(name: string): string {
  return name.length > MAX_ENTRY_NAME ? `${Buffer.from(name.slice(0, MAX_ENTRY_NAME)).toString()}…` : name
}
