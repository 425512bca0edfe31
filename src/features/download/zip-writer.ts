/**
 * Writes a ZIP as a stream (APPNOTE 6.3.10). Files are stored, not deflated, as media are compressed already.
 * The checksum follows the bytes in a data descriptor. ZIP64 fields are used for files and archives from 4 GB
 * on, and from 65 535 files on.
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

/** Marks a field whose number is in a ZIP64 field. */
const LONG_MARK = 0xffffffff
const MANY_MARK = 0xffff

/** Bit 3: the checksum follows the bytes. Bit 11: the name is UTF-8. */
const FLAGS = 0x0808
const VERSION = 20
const VERSION_LONG = 45
/** The entry was made on Unix: a regular file that its owner may write. */
const MADE_ON_UNIX = 3 << 8
const FILE_MODE = (0o100644 << 16) >>> 0

interface WrittenEntry {
  name: Buffer
  size: number
  crc: number
  offset: number
  time: number
}

export async function* zipArchive(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = []
  let position = 0
  for await (const { name: text, size, changedAt, bytes } of entries) {
    const entry: WrittenEntry = {
      name: Buffer.from(text),
      size,
      crc: 0,
      offset: position,
      time: dosTime(changedAt),
    }
    const head = localHeader(entry)
    yield head
    let sent = 0
    for await (const chunk of bytes) {
      sent += chunk.length
      entry.crc = crc32(chunk, entry.crc)
      yield chunk
    }
    // A wrong length would make every later file unreadable, so the download is visibly broken off instead.
    if (sent !== size) throw new Error(`the file ${text} has ${sent} bytes, not ${size}`)
    const tail = dataDescriptor(entry)
    yield tail
    position += head.length + size + tail.length
    written.push(entry)
  }
  const start = position
  for (const entry of written) {
    const line = directoryLine(entry)
    position += line.length
    yield line
  }
  yield endRecords(written.length, start, position - start)
}

const isLong = ({ size }: WrittenEntry) => size >= LONG_MARK

/** Sizes are zero here (bit 3), but the ZIP64 field announces 8-byte sizes in the data descriptor. */
function localHeader(entry: WrittenEntry): Buffer {
  const extra = isLong(entry) ? zip64Field([0, 0]) : Buffer.alloc(0)
  const long = isLong(entry) ? LONG_MARK : 0
  return Buffer.concat([
    littleEndian(
      [4, 0x04034b50],
      [2, isLong(entry) ? VERSION_LONG : VERSION],
      ...commonFields(entry, [0, long, long], extra),
    ),
    entry.name,
    extra,
  ])
}

function dataDescriptor(entry: WrittenEntry): Buffer {
  const width = isLong(entry) ? 8 : 4
  return littleEndian([4, 0x08074b50], [4, entry.crc], [width, entry.size], [width, entry.size])
}

function directoryLine(entry: WrittenEntry): Buffer {
  const { name, size, crc, offset } = entry
  const moved = [...(isLong(entry) ? [size, size] : []), ...(offset >= LONG_MARK ? [offset] : [])]
  const extra = moved.length > 0 ? zip64Field(moved) : Buffer.alloc(0)
  const version = moved.length > 0 ? VERSION_LONG : VERSION
  const short = Math.min(size, LONG_MARK)
  return Buffer.concat([
    littleEndian(
      [4, 0x02014b50],
      [2, MADE_ON_UNIX | version],
      [2, version],
      ...commonFields(entry, [crc, short, short], extra),
    ),
    // No comment, first disk, no hints about text.
    littleEndian([2, 0], [2, 0], [2, 0], [4, FILE_MODE], [4, Math.min(offset, LONG_MARK)]),
    name,
    extra,
  ])
}

/** The fields that the local header and the directory entry share. */
const commonFields = (
  { name, time }: WrittenEntry,
  [crc, packed, size]: [number, number, number],
  extra: Buffer,
): Field[] => [
  [2, FLAGS],
  [2, 0],
  [4, time],
  [4, crc],
  [4, packed],
  [4, size],
  [2, name.length],
  [2, extra.length],
]

function endRecords(count: number, start: number, size: number): Buffer {
  const end = littleEndian(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MANY_MARK)],
    [2, Math.min(count, MANY_MARK)],
    [4, Math.min(size, LONG_MARK)],
    [4, Math.min(start, LONG_MARK)],
    [2, 0],
  )
  if (count < MANY_MARK && size < LONG_MARK && start < LONG_MARK) return end
  const long = littleEndian(
    [4, 0x06064b50],
    [8, 44],
    [2, MADE_ON_UNIX | VERSION_LONG],
    [2, VERSION_LONG],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
  )
  return Buffer.concat([long, littleEndian([4, 0x07064b50], [4, 0], [8, start + size], [4, 1]), end])
}

const zip64Field = (numbers: readonly number[]) =>
  littleEndian([2, 1], [2, numbers.length * 8], ...numbers.map((value): Field => [8, value]))

type Field = readonly [bytes: 2 | 4 | 8, value: number]

/** Little-endian numbers. */
function littleEndian(...given: readonly Field[]): Buffer {
  const out = Buffer.alloc(given.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of given) {
    if (bytes === 8) at = out.writeBigUInt64LE(BigInt(value), at)
    else at = bytes === 4 ? out.writeUInt32LE(value, at) : out.writeUInt16LE(value, at)
  }
  return out
}

/** Date in the upper half, time in steps of two seconds in the lower; local time, from 1980 on. */
function dosTime(milliseconds: number): number {
  const at = new Date(milliseconds)
  const year = Math.min(Math.max(at.getFullYear() - 1980, 0), 127)
  const date = (year << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}
