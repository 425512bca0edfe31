/** Building blocks of ZIP bombs. */
import { crc32, deflateRawSync } from 'node:zlib'

/** Compressed zeros: one byte for about a thousand. */
export function packedZeros(length: number): Uint8Array {
  return deflateRawSync(Buffer.alloc(length), { level: 9 })
}

/** CRC-32 of this many zeros. */
export function crcOfZeros(length: number): number {
  const piece = Buffer.alloc(1024 * 1024)
  let crc = 0
  for (let left = length; left > 0; left -= piece.length)
    crc = crc32(piece.subarray(0, Math.min(left, piece.length)), crc)
  return crc
}
