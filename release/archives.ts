/**
 * Archives that are the same byte for byte whenever their files are: sorted by name, without times, owners
 * and real modes.
 */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

export interface Entry {
  name: string
  bytes: Uint8Array
  executable?: boolean
}

export const textEntry = (name: string, content: string): Entry => ({ name, bytes: Buffer.from(content) })

/** Stands for the time of every file: the first day that a ZIP can name. */
const TIME = new Date('1980-01-01T00:00:00Z')
const DOS_TIME = (1 << 21) | (1 << 16)

const sorted = (entries: readonly Entry[]) => [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))

export async function tarGz(entries: readonly Entry[]): Promise<Uint8Array> {
  const archive = pack()
  for (const { name, bytes, executable } of sorted(entries))
    archive.entry({ name, mode: executable ? 0o755 : 0o644, mtime: TIME }, Buffer.from(bytes))
  archive.finalize()
  const parts: Buffer[] = []
  for await (const part of archive) parts.push(part as Buffer)
  return gzipSync(Buffer.concat(parts))
}

/** APPNOTE 6.3.10, deflated; Windows knows no executable bit. */
export function zip(entries: readonly Entry[]): Uint8Array {
  const body: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const { name: text, bytes } of sorted(entries)) {
    const name = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    // Version 2.0, the name is UTF-8, deflated; no extra field.
    const common = fields(
      ...([
        [2, 20],
        [2, 0x0800],
        [2, 8],
        [4, DOS_TIME],
        [4, crc32(bytes)],
      ] as const),
      ...([
        [4, packed.length],
        [4, bytes.length],
        [2, name.length],
        [2, 0],
      ] as const),
    )
    // No comment, first disk, no hints about text, no attributes.
    const rest = fields([2, 0], [2, 0], [2, 0], [4, 0], [4, position])
    directory.push(fields([4, 0x02014b50], [2, 20]), common, rest, name)
    body.push(fields([4, 0x04034b50]), common, name, packed)
    position += 4 + common.length + name.length + packed.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const count = entries.length
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, position],
    [2, 0],
  )
  return Buffer.concat([...body, ...directory, end])
}

/** Little-endian numbers, one behind the other. */
function fields(...given: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const out = Buffer.alloc(given.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of given)
    at = bytes === 4 ? out.writeUInt32LE(value, at) : out.writeUInt16LE(value, at)
  return out
}
