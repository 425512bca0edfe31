/**
 * Writes and reads tar headers (POSIX.1-2001, pax). A header depends only on name, size and time of its
 * entry. The reader rebuilds the header from these three and compares every byte, so that damage in the other
 * fields is noticed too. Tar libraries do not do this: they are lenient about owner, mode or padding.
 */

export const BLOCK_BYTES = 512
/** Bytes at the end of an archive: two blocks of zeros. */
export const END_BYTES = 2 * BLOCK_BYTES

/** The smallest size that does not fit into eleven octal digits, and so needs a pax record. */
const SIZE_LIMIT = 8 ** 11
const MAX_NAME_BYTES = 100

const FILE_TYPE = '0'
const PAX_TYPE = 'x'

export interface TarEntry {
  name: string
  size: number
  /** Seconds since 1970. */
  time: number
}

/** Number of zero bytes that fill up the last block of content of `size` bytes. */
export const paddingOf = (size: number) => (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES

/** The header of an entry, preceded by a pax header if the name or size needs one. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const { name, size, time } = entry
  const records = Buffer.from(
    `${Buffer.byteLength(name) > MAX_NAME_BYTES ? paxRecord('path', name) : ''}${size >= SIZE_LIMIT ? paxRecord('size', String(size)) : ''}`,
  )
  const fileHeader = headerBlock({ name, size: size >= SIZE_LIMIT ? 0 : size, time, type: FILE_TYPE })
  if (records.length === 0) return fileHeader
  const paxHeader = headerBlock({ name: `PaxHeaders/${name}`, size: records.length, time, type: PAX_TYPE })
  return Buffer.concat([paxHeader, records, Buffer.alloc(paddingOf(records.length)), fileHeader])
}

function headerBlock({ name, size, time, type }: TarEntry & { type: string }): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  const writeOctal = (value: number, offset: number, digitCount: number) =>
    header.write(value.toString(8).padStart(digitCount, '0'), offset, 'latin1')
  Buffer.from(name).copy(header, 0, 0, MAX_NAME_BYTES)
  writeOctal(0o644, 100, 7)
  writeOctal(0, 108, 7)
  writeOctal(0, 116, 7)
  writeOctal(size, 124, 11)
  writeOctal(time, 136, 11)
  header.fill(' ', 148, 156)
  header.write(type, 156, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  writeOctal(0, 329, 7)
  writeOctal(0, 337, 7)
  writeOctal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  )
  header[154] = 0
  return header
}

/** A pax record: `<length> <key>=<value>\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const unprefixedLength = Buffer.byteLength(` ${key}=${value}\n`)
  let length = unprefixedLength + String(unprefixedLength).length
  if (unprefixedLength + String(length).length !== length) length++
  return `${length} ${key}=${value}\n`
}

/**
 * Reads bytes of an archive. Returns fewer than requested only at the end of the archive, or if more bytes
 * are requested than the reader buffers.
 */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>

/** An entry that was found in an archive. */
export interface LocatedEntry extends TarEntry {
  /** Position of the content in the archive. */
  start: number
}

/** Reads the header at `position`; null if the bytes there are not a header that `tarHeader` makes. */
export async function readEntry(read: ReadAt, position: number): Promise<LocatedEntry | null> {
  const firstBlock = Buffer.from(await read(position, BLOCK_BYTES))
  const fields = parseHeaderBlock(firstBlock)
  if (!fields) return null
  if (fields.type !== PAX_TYPE) return matchingEntry(firstBlock, fields, position + BLOCK_BYTES)
  // `tarHeader` writes at most one path and one size into a pax header; these records take at most four
  // blocks. Longer ones come from another program.
  if (fields.size > 4 * BLOCK_BYTES) return null
  const paddedLength = fields.size + paddingOf(fields.size)
  const restOfHeader = Buffer.from(await read(position + BLOCK_BYTES, paddedLength + BLOCK_BYTES))
  const fileFields = parseHeaderBlock(restOfHeader.subarray(paddedLength))
  if (!fileFields) return null
  const { path = fileFields.name, size = fileFields.size } = paxRecords(restOfHeader.subarray(0, fields.size))
  const entry = { name: path, size: Number(size), time: fileFields.time }
  return matchingEntry(
    Buffer.concat([firstBlock, restOfHeader]),
    entry,
    position + 2 * BLOCK_BYTES + paddedLength,
  )
}

/** The entry, if `bytes` are exactly the header that `tarHeader` makes for it; otherwise null. */
function matchingEntry(bytes: Buffer, { name, size, time }: TarEntry, start: number): LocatedEntry | null {
  if (!Number.isSafeInteger(size) || size < 0) return null
  return bytes.equals(tarHeader({ name, size, time })) ? { name, size, time, start } : null
}

/**
 * The fields of a header. Null if size or time is not a number, as in the zeros at the end of an archive, or
 * if the header is cut off.
 */
function parseHeaderBlock(header: Buffer): (TarEntry & { type: string }) | null {
  const readOctal = (offset: number) => {
    const digits = header.toString('latin1', offset, offset + 11)
    return /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : null
  }
  const [size, time] = [readOctal(124), readOctal(136)]
  if (header.length < BLOCK_BYTES || size === null || time === null) return null
  const [name = ''] = header.toString('utf8', 0, MAX_NAME_BYTES).split('\0', 1)
  return { name, size, time, type: header.toString('latin1', 156, 157) }
}

function paxRecords(bytes: Buffer): { path?: string; size?: string } {
  const records = bytes.toString('utf8').matchAll(/^\d+ (path|size)=(.*)$/gm)
  return Object.fromEntries([...records].map(([, key, value]) => [key, value]))
}
