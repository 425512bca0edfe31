/**
 * Writes a ZIP as a stream (APPNOTE 6.3.10). Files are stored, not deflated, as media are compressed already.
 * The checksum and the sizes follow the bytes in a data descriptor. ZIP64 fields are used for numbers that do
 * not fit into the usual fields: sizes and offsets of at least 4 GiB minus 1 byte, and at least 65 535 files.
 */
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  name: string
  size: number
  /** Unix milliseconds. */
  changedAt: number
  /** Exactly `size` bytes. */
  bytes: AsyncIterable<Uint8Array>
}

/** Placeholders for a 4-byte and for a 2-byte field whose actual number is in a ZIP64 field. */
const ZIP64_PLACEHOLDER_32 = 0xffffffff
const ZIP64_PLACEHOLDER_16 = 0xffff

/** Bit 3: the checksum and the sizes follow the bytes. Bit 11: the name is UTF-8. */
const GENERAL_PURPOSE_FLAGS = 0x0808
/** The ZIP version that a reader must support: 2.0, or 4.5 for ZIP64. */
const VERSION_NEEDED = 20
const VERSION_NEEDED_ZIP64 = 45
/** The entry was made on Unix: a regular file that everybody may read and its owner may write. */
const MADE_ON_UNIX = 3 << 8
const FILE_MODE = (0o100644 << 16) >>> 0

interface WrittenEntry {
  name: Buffer
  size: number
  crc: number
  offset: number
  dosDateTime: number
}

export async function* zipArchive(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const writtenEntries: WrittenEntry[] = []
  let position = 0
  for await (const { name: fileName, size, changedAt, bytes } of entries) {
    const entry: WrittenEntry = {
      name: Buffer.from(fileName),
      size,
      crc: 0,
      offset: position,
      dosDateTime: dosTime(changedAt),
    }
    const header = localHeader(entry)
    yield header
    let sentBytes = 0
    for await (const chunk of bytes) {
      sentBytes += chunk.length
      entry.crc = crc32(chunk, entry.crc)
      yield chunk
    }
    // A wrong length would make every later file unreadable, so the download is aborted instead, which the
    // client notices.
    if (sentBytes !== size) throw new Error(`the file ${fileName} has ${sentBytes} bytes, not ${size}`)
    const descriptor = dataDescriptor(entry)
    yield descriptor
    position += header.length + size + descriptor.length
    writtenEntries.push(entry)
  }
  const directoryStart = position
  for (const entry of writtenEntries) {
    const directoryBytes = directoryEntry(entry)
    position += directoryBytes.length
    yield directoryBytes
  }
  yield endRecords(writtenEntries.length, directoryStart, position - directoryStart)
}

const needsZip64 = ({ size }: WrittenEntry) => size >= ZIP64_PLACEHOLDER_32

/**
 * The checksum and the sizes are zero in this header, as they follow the bytes (bit 3 of
 * `GENERAL_PURPOSE_FLAGS`). For a large file the sizes are placeholders and the ZIP64 field is present, which
 * announces 8-byte sizes in the data descriptor.
 */
function localHeader(entry: WrittenEntry): Buffer {
  const extraField = needsZip64(entry) ? zip64Field([0, 0]) : Buffer.alloc(0)
  const sizePlaceholder = needsZip64(entry) ? ZIP64_PLACEHOLDER_32 : 0
  return Buffer.concat([
    littleEndian(
      [4, 0x04034b50],
      [2, needsZip64(entry) ? VERSION_NEEDED_ZIP64 : VERSION_NEEDED],
      ...commonFields(entry, [0, sizePlaceholder, sizePlaceholder], extraField),
    ),
    entry.name,
    extraField,
  ])
}

function dataDescriptor(entry: WrittenEntry): Buffer {
  const sizeFieldLength = needsZip64(entry) ? 8 : 4
  return littleEndian(
    [4, 0x08074b50],
    [4, entry.crc],
    [sizeFieldLength, entry.size],
    [sizeFieldLength, entry.size],
  )
}

function directoryEntry(entry: WrittenEntry): Buffer {
  const { name, size, crc, offset } = entry
  const zip64Values = [
    ...(needsZip64(entry) ? [size, size] : []),
    ...(offset >= ZIP64_PLACEHOLDER_32 ? [offset] : []),
  ]
  const extraField = zip64Values.length > 0 ? zip64Field(zip64Values) : Buffer.alloc(0)
  const version = zip64Values.length > 0 ? VERSION_NEEDED_ZIP64 : VERSION_NEEDED
  const cappedSize = Math.min(size, ZIP64_PLACEHOLDER_32)
  return Buffer.concat([
    littleEndian(
      [4, 0x02014b50],
      [2, MADE_ON_UNIX | version],
      [2, version],
      ...commonFields(entry, [crc, cappedSize, cappedSize], extraField),
    ),
    // The length of the comment, the number of the disk and the internal attributes are zero.
    littleEndian([2, 0], [2, 0], [2, 0], [4, FILE_MODE], [4, Math.min(offset, ZIP64_PLACEHOLDER_32)]),
    name,
    extraField,
  ])
}

/** The fields that the local header and the directory entry share. */
const commonFields = (
  { name, dosDateTime }: WrittenEntry,
  [crc, compressedSize, size]: [number, number, number],
  extraField: Buffer,
): IntegerField[] => [
  [2, GENERAL_PURPOSE_FLAGS],
  [2, 0],
  [4, dosDateTime],
  [4, crc],
  [4, compressedSize],
  [4, size],
  [2, name.length],
  [2, extraField.length],
]

function endRecords(entryCount: number, directoryStart: number, directorySize: number): Buffer {
  const endRecord = littleEndian(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entryCount, ZIP64_PLACEHOLDER_16)],
    [2, Math.min(entryCount, ZIP64_PLACEHOLDER_16)],
    [4, Math.min(directorySize, ZIP64_PLACEHOLDER_32)],
    [4, Math.min(directoryStart, ZIP64_PLACEHOLDER_32)],
    [2, 0],
  )
  if (
    entryCount < ZIP64_PLACEHOLDER_16 &&
    directorySize < ZIP64_PLACEHOLDER_32 &&
    directoryStart < ZIP64_PLACEHOLDER_32
  )
    return endRecord
  const zip64EndRecord = littleEndian(
    [4, 0x06064b50],
    [8, 44],
    [2, MADE_ON_UNIX | VERSION_NEEDED_ZIP64],
    [2, VERSION_NEEDED_ZIP64],
    [4, 0],
    [4, 0],
    [8, entryCount],
    [8, entryCount],
    [8, directorySize],
    [8, directoryStart],
  )
  return Buffer.concat([
    zip64EndRecord,
    littleEndian([4, 0x07064b50], [4, 0], [8, directoryStart + directorySize], [4, 1]),
    endRecord,
  ])
}

const zip64Field = (numbers: readonly number[]) =>
  littleEndian([2, 1], [2, numbers.length * 8], ...numbers.map((value): IntegerField => [8, value]))

type IntegerField = readonly [bytes: 2 | 4 | 8, value: number]

/** Encodes the fields one after the other as little-endian numbers. */
function littleEndian(...fields: readonly IntegerField[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let position = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) position = buffer.writeBigUInt64LE(BigInt(value), position)
    else
      position = bytes === 4 ? buffer.writeUInt32LE(value, position) : buffer.writeUInt16LE(value, position)
  }
  return buffer
}

/**
 * A time in MS-DOS format: the date in the upper 16 bits, the time in steps of two seconds in the lower 16.
 * It is local time; years before 1980 become 1980, and years after 2107 become 2107.
 */
function dosTime(milliseconds: number): number {
  const localDate = new Date(milliseconds)
  const year = Math.min(Math.max(localDate.getFullYear() - 1980, 0), 127)
  const dateBits = (year << 9) | ((localDate.getMonth() + 1) << 5) | localDate.getDate()
  const timeBits =
    (localDate.getHours() << 11) | (localDate.getMinutes() << 5) | (localDate.getSeconds() >> 1)
  return ((dateBits << 16) | timeBits) >>> 0
}
