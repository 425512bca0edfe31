import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Random } from './random.ts'

export interface Body {
  bytes: Uint8Array
  sha256: string
  extension: '.bin' | '.png'
}

/** From one byte to 2 MB; the ones beside 64 KB straddle the chunk size that streams hand over. */
const SIZES = [1, 17, 1_000, 10_240, 65_535, 65_537, 300_000, 2_097_152]

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function binaryBody(random: Random): Body {
  const bytes = random.bytes(random.pick(SIZES))
  return { bytes, sha256: sha256(bytes), extension: '.bin' }
}

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
  // The noise also makes every picture different, so that one overwrite cannot pass for another.
  raw.set(random.bytes(16), 1)
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, edge)
  header.setUint32(4, edge)
  header.setUint8(8, 8)
  header.setUint8(9, 2)
  const bytes = new Uint8Array(
    Buffer.concat([
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      chunk('IHDR', new Uint8Array(header.buffer)),
      chunk('IDAT', deflateSync(raw, { level: 1 })),
      chunk('IEND', new Uint8Array()),
    ]),
  )
  return { bytes, sha256: sha256(bytes), extension: '.png' }
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(data.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}

/** Whether these are the bytes of one whole WebP file: its own length field must fit what arrived. */
export function isWholeWebp(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = buffer.toString('latin1', 0, 4) === 'RIFF' && buffer.toString('latin1', 8, 12) === 'WEBP'
  return marked && buffer.readUInt32LE(4) + 8 === bytes.length
}
