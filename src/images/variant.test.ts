import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { type Bench, createBench } from './testing/bench.ts'
import { animation, chunk, GREY, png, profileChunk, uint32 } from './testing/pictures.ts'

let bench: Bench
beforeAll(async () => {
  bench = await createBench()
})
afterAll(() => bench.close())

const variantOf = async (name: string, bytes: Buffer) =>
  (await bench.derive(await bench.writeSource(name, bytes), { parts: ['variant'] })).variant

/** Pixels as stored, without applying a profile. */
const stored = (input: string | Buffer) => sharp(input, { ignoreIcc: true }).ensureAlpha().raw().toBuffer()

/** Noise in large steps: no two neighbouring pixels are alike, yet WebP compresses it better than PNG. */
function coarseNoise(width: number, height: number, channels: 3 | 4): Sharp {
  const data = randomBytes(width * height * channels).map(byte => byte & 0xe0)
  return sharp(data, { raw: { width, height, channels } })
}

/** Random bytes: PNG stores them as they are, WebP needs a few more for its tables. */
function tightNoise(): Promise<Buffer> {
  return sharp(randomBytes(8 * 8 * 3), { raw: { width: 8, height: 8, channels: 3 } })
    .png()
    .toBuffer()
}

async function greyPng(): Promise<Buffer> {
  const p3 = await sharp(png({ width: 1, height: 1 }))
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const profile = Buffer.from((await sharp(p3).metadata()).icc!)
  profile.write('GRAY', 16, 'latin1')
  const grey = png({ width: 400, height: 300, colour: GREY, extraChunks: [profileChunk(profile)] })
  // The reader ignores profiles that it does not trust; then this test would show nothing.
  expect((await sharp(grey).metadata()).hasProfile).toBe(true)
  return grey
}

describe('PNG', () => {
  test('keeps every pixel, also the colour of the transparent ones', async () => {
    const source = await coarseNoise(120, 90, 4).png({ compressionLevel: 1 }).toBuffer()
    const variant = await variantOf('noise.png', source)
    expect(variant!.size).toBeLessThan(source.length)
    expect((await sharp(variant!.file).metadata()).format).toBe('webp')
    expect((await stored(variant!.file)).equals(await stored(source))).toBe(true)
  })

  test('keeps its pixels and its colour profile together', async () => {
    const source = await coarseNoise(120, 90, 3).withIccProfile('p3').png({ compressionLevel: 1 }).toBuffer()
    const profile = (await sharp(source).metadata()).icc!
    const variant = await variantOf('p3.png', source)
    expect((await sharp(variant!.file).metadata()).icc!.equals(profile)).toBe(true)
    expect((await stored(variant!.file)).equals(await stored(source))).toBe(true)
  })

  const black = { width: 400, height: 300 }
  const srgbChromaticities = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
  const judged: [string, boolean, () => Buffer | Promise<Buffer>][] = [
    ['plain', true, () => png(black)],
    ['of one bit', true, () => png({ ...black, bitDepth: 1, colour: GREY })],
    ['animated', false, () => png({ ...black, extraChunks: animation(2, 400, 300) })],
    ['of 16 bits', false, () => png({ ...black, bitDepth: 16 })],
    ['packed tighter than WebP can', false, () => tightNoise()],
    ['with a grey profile', false, () => greyPng()],
    ['with gamma as sRGB', true, () => png({ ...black, extraChunks: [chunk('gAMA', uint32(45455))] })],
    ['with another gamma', false, () => png({ ...black, extraChunks: [chunk('gAMA', uint32(100000))] })],
    [
      'with another gamma that sRGB overrules',
      true,
      () => png({ ...black, extraChunks: [chunk('sRGB', Buffer.from([0])), chunk('gAMA', uint32(100000))] }),
    ],
    [
      'with sRGB primaries',
      true,
      () => png({ ...black, extraChunks: [chunk('cHRM', uint32(...srgbChromaticities))] }),
    ],
    [
      'with other primaries',
      false,
      () =>
        png({
          ...black,
          extraChunks: [chunk('cHRM', uint32(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000))],
        }),
    ],
    [
      'with HDR colours',
      false,
      () => png({ ...black, extraChunks: [chunk('cICP', Buffer.from([9, 16, 0, 1]))] }),
    ],
    ['wider than WebP', false, () => png({ width: 16_384, height: 4 })],
    ['as wide as WebP', true, () => png({ width: 16_383, height: 4 })],
  ]
  test.each(judged)('%s: variant %p', async (_, expected, make) => {
    expect((await variantOf('judged.png', await make())) !== undefined).toBe(expected)
  })
})

describe('JPEG', () => {
  test('is smaller and close to the original', async () => {
    const source = await coarseNoise(64, 64, 3).resize(512).jpeg({ quality: 95 }).toBuffer()
    const variant = await variantOf('a.jpg', source)
    expect(variant!.size).toBeLessThan(source.length)
    const [before, after] = [await stored(source), await stored(variant!.file)]
    const difference = before.reduce((sum, byte, i) => sum + Math.abs(byte - after[i]!), 0) / before.length
    expect(difference).toBeLessThan(6)
  })

  test('keeps its colour profile', async () => {
    const source = await coarseNoise(64, 64, 3).resize(512).withIccProfile('p3').jpeg().toBuffer()
    const variant = await variantOf('p3.jpg', source)
    const profile = (await sharp(source).metadata()).icc!
    expect((await sharp(variant!.file).metadata()).icc!.equals(profile)).toBe(true)
  })

  test('in CMYK becomes sRGB without the CMYK profile', async () => {
    const red = sharp({ create: { width: 300, height: 200, channels: 3, background: '#d02010' } })
    const source = await red.toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
    expect(await sharp(source).metadata()).toMatchObject({ space: 'cmyk', hasProfile: true })
    const variant = await variantOf('cmyk.jpg', source)
    const found = await sharp(variant!.file).metadata()
    expect([found.space as string, found.hasProfile]).toEqual(['srgb', false])
    const [r, g, b] = await sharp(variant!.file).raw().toBuffer()
    expect([r! > 170, g! < 80, b! < 80]).toEqual([true, true, true])
  })

  test('is what its bytes are, whatever its name says', async () => {
    const picture = coarseNoise(64, 64, 3).resize(300)
    const webp = await picture.clone().webp({ lossless: true }).toBuffer()
    const jpeg = await picture.clone().jpeg({ quality: 95 }).toBuffer()
    expect(await variantOf('webp.png', webp)).toBeUndefined()
    expect(await variantOf('jpeg.gif', jpeg)).toBeDefined()
  })
})

test('it has fewer bytes than the original, if only one', async () => {
  const picture = await coarseNoise(64, 64, 3).resize(300).jpeg({ quality: 20 }).toBuffer()
  const ofLength = (length: number) => Buffer.concat([picture, Buffer.alloc(length - picture.length)])
  const { size } = (await variantOf('long.jpg', ofLength(500_000)))!
  expect(size).toBeGreaterThan(picture.length)
  expect(await variantOf('same.jpg', ofLength(size))).toBeUndefined()
  expect(await variantOf('longer.jpg', ofLength(size + 1))).toMatchObject({ size })
})
