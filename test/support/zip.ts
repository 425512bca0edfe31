/** ZIP archives written by hand, because archivers make only well-formed ones. Any field can be falsified. */
import { crc32, deflateRawSync } from 'node:zlib'
import { endRecords, LARGE, record } from './zip-records.ts'

export interface ZipEntry {
  name: string | Uint8Array
  content?: string | Uint8Array
  /** 0 stored, 8 deflated; any other number is written as it is and the content stays unpacked. */
  method?: number
  /** The packed bytes themselves, instead of those made from `content`. */
  packed?: Uint8Array
  /** What the headers claim instead of the truth. */
  crc?: number
  size?: number
  packedSize?: number
  /** The offset in the directory. */
  offset?: number
  flags?: number
  /** The upper half is a Unix mode, the lower half DOS attributes. */
  attributes?: number
  madeBy?: number
  extra?: Uint8Array
  comment?: string
  /** The name in the directory only; the local header has another one. */
  localName?: string
  /** Sizes after the bytes, as archivers write them that do not know them before. */
  descriptor?: boolean
  /** Sizes and offset in ZIP64 fields, as some archivers always write them. */
  zip64?: boolean
  /** In the directory only: no local header and no bytes are written. */
  directoryOnly?: boolean
}

export interface ZipOptions {
  /** Number of entries that the end record claims. */
  count?: number
  comment?: string
  /** Written before everything else, without being counted in the offsets. */
  prefix?: Uint8Array
  /** Also writes the ZIP64 end record. */
  zip64?: boolean
}

export const STORED = 0
export const DEFLATED = 8
export const UTF8 = 0x800
export const ENCRYPTED = 0x1
export const UNIX = 3 << 8
/** A Unix mode as attributes: `unixMode(0o120777)` is a symbolic link. */
export const unixMode = (mode: number) => (mode << 16) >>> 0

export function zip(entries: readonly ZipEntry[], options: ZipOptions = {}): Uint8Array<ArrayBuffer> {
  const body: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const entry of entries) {
    const facts = factsOf(entry, position)
    if (!entry.directoryOnly) {
      const local = [
        localHeader(entry, facts),
        facts.packed,
        ...(entry.descriptor ? [descriptor(facts)] : []),
      ]
      body.push(...local)
      position += local.reduce((sum, { length }) => sum + length, 0)
    }
    directory.push(directoryHeader(entry, facts))
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = options.count ?? entries.length
  const end = endRecords({ count, size, start: position }, options)
  const prefix = options.prefix ?? new Uint8Array(0)
  return new Uint8Array(Buffer.concat([prefix, ...body, ...directory, ...end]))
}

interface Facts {
  name: Buffer
  packed: Buffer
  method: number
  flags: number
  crc: number
  size: number
  packedSize: number
  offset: number
}

const bytesOf = (content: string | Uint8Array) => Buffer.from(content as string)

function factsOf(entry: ZipEntry, position: number): Facts {
  const content = bytesOf(entry.content ?? '')
  const method = entry.method ?? DEFLATED
  const packed = entry.packed ?? (method === DEFLATED ? deflateRawSync(content) : content)
  return {
    name: bytesOf(entry.name),
    packed: Buffer.from(packed),
    method,
    flags: (entry.flags ?? UTF8) | (entry.descriptor ? 0x8 : 0),
    crc: entry.crc ?? crc32(content),
    size: entry.size ?? content.length,
    packedSize: entry.packedSize ?? packed.length,
    offset: entry.offset ?? position,
  }
}

function localHeader(entry: ZipEntry, facts: Facts): Buffer {
  const name = entry.localName === undefined ? facts.name : bytesOf(entry.localName)
  const late = entry.descriptor === true
  return Buffer.concat([
    record(0x04034b50, [
      [2, 20],
      [2, facts.flags],
      [2, facts.method],
      [4, 0],
      [4, late ? 0 : facts.crc],
      [4, late ? 0 : facts.packedSize],
      [4, late ? 0 : facts.size],
      [2, name.length],
      [2, 0],
    ]),
    name,
  ])
}

const descriptor = ({ crc, packedSize, size }: Facts) =>
  record(0x08074b50, [
    [4, crc],
    [4, packedSize],
    [4, size],
  ])

function directoryHeader(entry: ZipEntry, facts: Facts): Buffer {
  const large = entry.zip64 === true
  const extra = large ? largeExtra(facts) : Buffer.from(entry.extra ?? [])
  const comment = Buffer.from(entry.comment ?? '')
  return Buffer.concat([
    record(0x02014b50, [
      [2, entry.madeBy ?? UNIX | 20],
      [2, 20],
      [2, facts.flags],
      [2, facts.method],
      [4, 0],
      [4, facts.crc],
      [4, large ? LARGE : facts.packedSize],
      [4, large ? LARGE : facts.size],
      [2, facts.name.length],
      [2, extra.length],
      [2, comment.length],
      [2, 0],
      [2, 0],
      [4, entry.attributes ?? unixMode(0o100644)],
      [4, large ? LARGE : facts.offset],
    ]),
    facts.name,
    extra,
    comment,
  ])
}

function largeExtra({ size, packedSize, offset }: Facts): Buffer {
  const out = Buffer.alloc(28)
  out.writeUInt16LE(1, 0)
  out.writeUInt16LE(24, 2)
  for (const [at, value] of [size, packedSize, offset].entries())
    out.writeBigUInt64LE(BigInt(value), 4 + 8 * at)
  return out
}
