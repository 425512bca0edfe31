/** The records of a ZIP archive, field by field. */
import type { ZipOptions } from './zip.ts'

/** Marks a field whose number is in a ZIP64 field. */
export const LARGE = 0xffffffff

/** Little-endian numbers: `[2, 20]` is a 20 in two bytes. */
export function record(
  signature: number,
  fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[],
): Buffer {
  const out = Buffer.alloc(4 + fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = out.writeUInt32LE(signature, 0)
  for (const [bytes, value] of fields) {
    if (bytes === 8) at = out.writeBigUInt64LE(BigInt(value), at)
    else at = bytes === 4 ? out.writeUInt32LE(value >>> 0, at) : out.writeUInt16LE(value & 0xffff, at)
  }
  return out
}

export function endRecords(
  directory: { count: number; size: number; start: number },
  options: ZipOptions,
): Buffer[] {
  const { count, size, start } = directory
  const comment = Buffer.from(options.comment ?? '')
  const large = options.zip64 === true
  const end = record(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, large ? 0xffff : count],
    [2, large ? 0xffff : count],
    [4, large ? LARGE : size],
    [4, large ? LARGE : start],
    [2, comment.length],
  ])
  if (!large) return [end, comment]
  const largeEnd = record(0x06064b50, [
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
  ])
  const locator = record(0x07064b50, [
    [4, 0],
    [8, start + size],
    [4, 1],
  ])
  return [largeEnd, locator, end, comment]
}
