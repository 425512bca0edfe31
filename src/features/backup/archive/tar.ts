/**
 * Headers of a tar (POSIX.1-2001, pax). Each header is a function of name, size and time alone. The reader
 * rebuilds the header from these and compares every byte, so that nothing in a header can change unnoticed.
 * No library does this: all are lenient about owner, mode or padding.
 */

export const BLOCK = 512
/** Bytes at the end of an archive: two blocks of zeros. */
export const END_BYTES = 2 * BLOCK

/** Sizes from here on do not fit into eleven octal digits and need a pax record. */
const SIZE_LIMIT = 8 ** 11
const NAME_LIMIT = 100

const FILE = '0'
const PAX = 'x'

export interface TarEntry {
  name: string
  size: number
  /** Seconds since 1970. */
  time: number
}

/** Number of zeros after content of `size` bytes. */
export const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** The header of an entry, preceded by a pax header if the name or size needs one. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const { name, size, time } = entry
  const records = Buffer.from(
    `${Buffer.byteLength(name) > NAME_LIMIT ? paxRecord('path', name) : ''}${size >= SIZE_LIMIT ? paxRecord('size', String(size)) : ''}`,
  )
  const file = headerBlock({ name, size: size >= SIZE_LIMIT ? 0 : size, time, type: FILE })
  if (records.length === 0) return file
  const pax = headerBlock({ name: `PaxHeaders/${name}`, size: records.length, time, type: PAX })
  return Buffer.concat([pax, records, Buffer.alloc(paddingOf(records.length)), file])
}

function headerBlock({ name, size, time, type }: TarEntry & { type: string }): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, '0'), at, 'latin1')
  Buffer.from(name).copy(header, 0, 0, NAME_LIMIT)
  octal(0o644, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(time, 136, 11)
  header.fill(' ', 148, 156)
  header.write(type, 156, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  octal(0, 329, 7)
  octal(0, 337, 7)
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  )
  header[154] = 0
  return header
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (rest + String(length).length !== length) length++
  return `${length} ${key}=${value}\n`
}

/** Returns fewer bytes than requested only at the end of the archive. */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>

export interface ReadEntry extends TarEntry {
  /** Offset of the content. */
  start: number
}

/** Reads the header at `position`; null if the bytes there are not a header that `tarHeader` makes. */
export async function readEntry(read: ReadAt, position: number): Promise<ReadEntry | null> {
  const first = Buffer.from(await read(position, BLOCK))
  const fields = parseBlock(first)
  if (!fields) return null
  if (fields.type !== PAX) return matchingEntry(first, fields, position + BLOCK)
  // A pax header holds at most one path and one size, so a longer one was not made by `tarHeader`.
  if (fields.size > 4 * BLOCK) return null
  const long = fields.size + paddingOf(fields.size)
  const rest = Buffer.from(await read(position + BLOCK, long + BLOCK))
  const file = parseBlock(rest.subarray(long))
  if (!file) return null
  const { path = file.name, size = file.size } = paxRecords(rest.subarray(0, fields.size))
  const entry = { name: path, size: Number(size), time: file.time }
  return matchingEntry(Buffer.concat([first, rest]), entry, position + 2 * BLOCK + long)
}

function matchingEntry(bytes: Buffer, { name, size, time }: TarEntry, start: number): ReadEntry | null {
  if (!Number.isSafeInteger(size) || size < 0) return null
  return bytes.equals(tarHeader({ name, size, time })) ? { name, size, time, start } : null
}

/**
 * The fields of a header. Null if size or time is not a number, as in the zeros at the end, or if the header
 * is cut off.
 */
function parseBlock(header: Buffer): (TarEntry & { type: string }) | null {
  const octal = (at: number) => {
    const digits = header.toString('latin1', at, at + 11)
    return /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : null
  }
  const [size, time] = [octal(124), octal(136)]
  if (header.length < BLOCK || size === null || time === null) return null
  const [name = ''] = header.toString('utf8', 0, NAME_LIMIT).split('\0', 1)
  return { name, size, time, type: header.toString('latin1', 156, 157) }
}

function paxRecords(bytes: Buffer): { path?: string; size?: string } {
  const records = bytes.toString('utf8').matchAll(/^\d+ (path|size)=(.*)$/gm)
  return Object.fromEntries([...records].map(([, key, value]) => [key, value]))
}
