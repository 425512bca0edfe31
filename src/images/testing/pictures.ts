/**
 * Makes test files byte by byte: PNG and GIF pictures, some of them such as no encoder would write, and WAV.
 */
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
export const GREY = 0
export const RGB = 2

export function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const out = Buffer.alloc(12 + data.length)
  out.writeUInt32BE(data.length, 0)
  out.write(type, 4, 'latin1')
  out.set(data, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
  return out
}

interface Png {
  width: number
  height: number
  bitDepth?: number
  colour?: number
  /** Further chunks between the header and the pixels. */
  extraChunks?: Buffer[]
  pixels?: Buffer
}

export function png({
  width,
  height,
  bitDepth: bits = 8,
  colour = RGB,
  extraChunks: extra = [],
  pixels,
}: Png): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, colour], 8)
  const row = 1 + Math.ceil((width * bits * (colour === RGB ? 3 : 1)) / 8)
  const data = pixels ?? deflateSync(Buffer.alloc(row * height))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...extra, chunk('IDAT', data), chunk('IEND')])
}

/** A PNG chunk whose compressed data inflates to this number of bytes. */
export function deflateBomb(type: 'zTXt' | 'iCCP', bytes: number): Buffer {
  return chunk(type, Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes))]))
}

export function uint32(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => {
    out.writeUInt32BE(value, i * 4)
  })
  return out
}

/** The chunks that make a PNG an animation: acTL and the fcTL of the first frame. */
export function animation(frameCount: number, width: number, height: number): Buffer[] {
  const frame = Buffer.concat([uint32(0, width, height, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])])
  return [chunk('acTL', uint32(frameCount, 0)), chunk('fcTL', frame)]
}

export function profileChunk(profile: Uint8Array): Buffer {
  return chunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(profile)]))
}

/**
 * An animated GIF of `side` by `side` pixels. Each frame paints one pixel, red in the first frame and blue in
 * all others.
 */
export function gif(side: number, frameCount: number): Buffer {
  const size = [side & 255, side >> 8]
  const palette = [255, 0, 0, 0, 0, 255]
  const loop = [0x21, 0xff, 0x0b, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]
  const control = [0x21, 0xf9, 4, 4, 10, 0, 0, 0]
  const frame = (code: number) => Buffer.from([...control, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, code, 1, 0])
  const head = Buffer.from([...Buffer.from('GIF89a'), ...size, ...size, 0x80, 0, 0, ...palette, ...loop])
  const otherFrames = Array<Buffer>(frameCount - 1).fill(frame(0x4c))
  return Buffer.concat([head, frame(0x44), ...otherFrames, Buffer.from([0x3b])])
}

/** A WAV file of silence, 8 bit, one channel. */
export function wav(seconds: number, rate = 8000): Buffer {
  const data = Buffer.alloc(seconds * rate, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}
