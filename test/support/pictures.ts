/** Generated pictures. To an encoder they look like photographs: smooth areas, edges and a little noise. */
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { randomBytes } from './bytes.ts'

export interface PictureOptions {
  width?: number
  height?: number
  /** The strongest channel, so that a test can tell two pictures apart after lossy coding. */
  tint?: 'red' | 'green' | 'blue'
  seed?: number
}

const CHANNEL = { red: 0, green: 1, blue: 2 }

function scene({ width = 320, height = 240, tint = 'red', seed = 1 }: PictureOptions) {
  const pixels = randomBytes(seed, width * height * 3)
  for (let at = 0; at < pixels.length; at++) {
    const channel = at % 3
    const x = Math.floor(at / 3) % width
    const y = Math.floor(at / 3 / width)
    const wave = 40 + 30 * Math.sin(x / 23 + channel) * Math.cos(y / 31)
    pixels[at] = wave + (channel === CHANNEL[tint] ? 120 : 0) + (pixels[at]! & 7)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

export async function png(options: PictureOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await scene(options).png().toBuffer())
}

export interface JpegOptions extends PictureOptions {
  quality?: number
  /** EXIF orientation; 6 means: rotate by 90° clockwise to see it upright. */
  orientation?: number
  profile?: 'p3'
}

export async function jpeg(options: JpegOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  let picture = scene(options).jpeg({ quality: options.quality ?? 90 })
  if (options.orientation) picture = picture.withMetadata({ orientation: options.orientation })
  if (options.profile) picture = picture.withIccProfile(options.profile)
  return new Uint8Array(await picture.toBuffer())
}

export async function gif(options: PictureOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await scene(options).gif().toBuffer())
}

/** A JPEG of pure noise at such low quality that its WebP is several times larger, however it is encoded. */
export async function jpegBeatsWebp(): Promise<Uint8Array<ArrayBuffer>> {
  const raw = { width: 128, height: 128, channels: 3 } as const
  return new Uint8Array(
    await sharp(randomBytes(5, 128 * 128 * 3), { raw })
      .jpeg({ quality: 10 })
      .toBuffer(),
  )
}

/** A plain area, which takes few bytes as PNG and more as lossy WebP. */
export async function plainPng(): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width: 1000, height: 1000, channels: 3, background: '#334455' } as const
  return new Uint8Array(await sharp({ create }).png({ palette: true, compressionLevel: 9 }).toBuffer())
}

/** The strongest channel of an encoded picture. */
export async function tintOf(bytes: Uint8Array): Promise<'red' | 'green' | 'blue'> {
  const { channels } = await sharp(bytes).stats()
  const means = channels.slice(0, 3).map(channel => channel.mean)
  return (['red', 'green', 'blue'] as const)[means.indexOf(Math.max(...means))]!
}

export async function sizeOf(bytes: Uint8Array): Promise<string> {
  const { width, height } = await sharp(bytes).metadata()
  return `${width}x${height}`
}

/** A valid PNG of white pixels, one bit each: 30000 × 30000 of them take 110 KB here and 3.6 GB decoded. */
export function pixelBomb(width = 30_000, height = 30_000): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height)
  return pngOf(header, deflateSync(rows, { level: 9 }))
}

function pngOf(header: Buffer, data: Buffer): Uint8Array<ArrayBuffer> {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const end = chunk('IEND', Buffer.alloc(0))
  return new Uint8Array(Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), end]))
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export type PagedFormat = 'gif' | 'webp' | 'tiff'

/** Three plain pages, red, green and blue; as an animation they last 100, 200 and 300 ms and run twice. */
export async function pages(
  format: PagedFormat,
  size: { width: number; height: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const plain = (background: string) => sharp({ create: { ...size, channels: 3, background } })
  const frames = await Promise.all(['red', 'lime', 'blue'].map(colour => plain(colour).png().toBuffer()))
  const joined = sharp(frames, { join: { animated: true } })
  const timing = { delay: [100, 200, 300], loop: 2 }
  const written = {
    gif: () => joined.gif(timing),
    webp: () => joined.webp(timing),
    tiff: () => joined.tiff(),
  }
  return new Uint8Array(await written[format]().toBuffer())
}

/**
 * What a viewer sees of a file with several pages: their size, their timing and the strongest channel of
 * each.
 */
export async function pagesOf(bytes: Uint8Array) {
  const { width, pageHeight, pages = 1, delay, loop } = await sharp(bytes, { animated: true }).metadata()
  const tints: string[] = []
  for (let page = 0; page < pages; page++)
    tints.push(await tintOf(new Uint8Array(await sharp(bytes, { page }).png().toBuffer())))
  return { size: `${width}x${pageHeight}`, delay, loop, tints }
}

/** A PNG that declares itself an animation of one frame. */
export async function animatedPng(options: PictureOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { width = 320, height = 240 } = options
  const still = Buffer.from(await png({ ...options, width, height }))
  const words = (...values: number[]) => Buffer.concat(values.map(value => uint32(value)))
  const control = chunk('acTL', words(1, 0))
  const frame = chunk(
    'fcTL',
    Buffer.concat([words(0, width, height, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]),
  )
  // Signature and IHDR come first.
  return new Uint8Array(Buffer.concat([still.subarray(0, 33), control, frame, still.subarray(33)]))
}

/** White pixels, 24 bits each. */
export function bmp(width: number, height: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(54)
  const row = Math.ceil((width * 3) / 4) * 4
  head.write('BM')
  head.writeUInt32LE(head.length + row * height, 2)
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  return new Uint8Array(Buffer.concat([head, Buffer.alloc(row * height, 255)]))
}

/** A PNG inside an ICO file. */
export async function ico(side: number): Promise<Uint8Array<ArrayBuffer>> {
  const inside = await png({ width: side, height: side })
  const head = Buffer.alloc(22)
  head.set([0, 0, 1, 0, 1, 0, side & 255, side & 255, 0, 0, 1, 0, 32, 0])
  head.writeUInt32LE(inside.length, 14)
  head.writeUInt32LE(head.length, 18)
  return new Uint8Array(Buffer.concat([head, inside]))
}
