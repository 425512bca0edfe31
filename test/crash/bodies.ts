import { deflateSync } from 'node:zlib'
import { png } from '../../src/images/testing/pictures.ts'
import { sha256 } from '../support/bytes.ts'
import type { Random } from './random.ts'

export interface Body {
  bytes: Uint8Array<ArrayBuffer>
  sha256: string
}

/** From one byte to 2 MB; the sizes around 64 KB are on both sides of the chunk size of streams. */
const SIZES = [1, 17, 1_000, 10_240, 65_535, 65_537, 300_000, 2_097_152]

const bodyOf = (bytes: Uint8Array<ArrayBuffer>): Body => ({ bytes, sha256: sha256(bytes) })

export const binaryBody = (random: Random) => bodyOf(random.bytes(random.pick(SIZES)))

/** A smooth picture with some noise: its WebP is smaller than its PNG, so that a variant is really made. */
export function pngBody(random: Random): Body {
  const edge = random.between(24, 160)
  const [red, green, blue] = [random.between(0, 255), random.between(0, 255), random.between(0, 255)]
  const row = edge * 3 + 1
  const raw = new Uint8Array(row * edge)
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      const at = y * row + 1 + x * 3
      raw[at] = red + x
      raw[at + 1] = green + y
      raw[at + 2] = blue + ((x * y) & 7)
    }
  }
  // The noise makes every picture different, so that overwrites can be told apart.
  raw.set(random.bytes(16), 1)
  return bodyOf(new Uint8Array(png({ width: edge, height: edge, pixels: deflateSync(raw, { level: 1 }) })))
}

/** Whether these are the bytes of one complete WebP file: its length field must match what arrived. */
export function isWholeWebp(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = buffer.toString('latin1', 0, 4) === 'RIFF' && buffer.toString('latin1', 8, 12) === 'WEBP'
  return marked && buffer.readUInt32LE(4) + 8 === bytes.length
}
