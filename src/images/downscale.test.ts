import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { type Bench, createBench, fixture } from './testing/bench.ts'
import { animation, gif, png } from './testing/pictures.ts'

let bench: Bench
beforeAll(async () => {
  bench = await createBench()
})
afterAll(() => bench.close())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3070b0' } })

const scaled: [string, string, () => Promise<Buffer>, string, string][] = [
  ['landscape', 'jpg', () => picture(400, 200).jpeg().toBuffer(), '400x200', '100x50'],
  ['portrait', 'jpg', () => picture(200, 400).jpeg().toBuffer(), '200x400', '50x100'],
  [
    'turned by its orientation',
    'jpg',
    () => picture(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    '200x400',
    '50x100',
  ],
  ['barely too large', 'png', () => picture(101, 101).png().toBuffer(), '101x101', '100x100'],
  ['thin', 'png', () => picture(1000, 2).png().toBuffer(), '1000x2', '100x1'],
  ['WebP', 'webp', () => picture(400, 200).webp().toBuffer(), '400x200', '100x50'],
  ['AVIF', 'avif', () => picture(400, 200).avif({ effort: 0 }).toBuffer(), '400x200', '100x50'],
  ['TIFF', 'tiff', () => picture(400, 200).tiff().toBuffer(), '400x200', '100x50'],
  ['still GIF', 'gif', () => picture(400, 200).gif().toBuffer(), '400x200', '100x50'],
]
test.each(scaled)('%s', async (_, extension, make, from, to) => {
  const file = await bench.put(`large.${extension}`, await make())
  const result = await bench.downscale(file, 100)
  expect(`${result!.from.width}x${result!.from.height}`).toBe(from)
  expect(`${result!.to.width}x${result!.to.height}`).toBe(to)
  const [before, after] = [await sharp(file).metadata(), await sharp(result!.file).metadata()]
  expect(`${after.width}x${after.height}`).toBe(to)
  expect([after.format, after.orientation ?? 1]).toEqual([before.format, 1])
  expect(Bun.file(result!.file).size).toBe(result!.size)
})

const left: [string, string, () => Buffer | string | Promise<Buffer>][] = [
  ['as large as allowed', 'jpg', () => picture(100, 100).jpeg().toBuffer()],
  ['smaller', 'png', () => picture(10, 10).png().toBuffer()],
  ['animated GIF', 'gif', () => gif(200, 2)],
  ['animated PNG', 'png', () => png({ width: 200, height: 200, extra: animation(2, 200, 200) })],
  [
    'animated WebP',
    'webp',
    async () => {
      const frames = await Promise.all(
        ['red', 'lime'].map(background =>
          sharp({ create: { width: 200, height: 200, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      )
      return sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer()
    },
  ],
  ['vector graphics', 'svg', () => '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>'],
  ['no image inside', 'png', () => 'just text'],
]
test.each(left)('left alone: %s', async (_, extension, make) => {
  const before = await bench.leftovers()
  expect(await bench.downscale(await bench.put(`left.${extension}`, await make()), 100)).toBeNull()
  expect(await bench.leftovers()).toEqual(before)
})

test('left alone: animated AVIF, video, documents', async () => {
  const moving = Buffer.from(await Bun.file(fixture('animated.avif')).bytes())
  expect(await bench.downscale(await bench.put('avis.avif', moving), 10)).toBeNull()
  // The library does not know the main brand `avis`; as an additional one it takes the first frame for all.
  moving.write('avif', 8, 'latin1')
  expect(await bench.downscale(await bench.put('avif.avif', moving), 10)).toBeNull()
  expect(await bench.downscale(fixture('clip.mp4'), 10)).toBeNull()
  expect(await bench.downscale(fixture('clip.mp4'), 10, 'application/pdf')).toBeNull()
})

test('PNG keeps transparency and 16 bits', async () => {
  const clear = sharp({ create: { width: 300, height: 300, channels: 4, background: '#10203080' } })
  const half = await bench.downscale(await bench.put('half.png', await clear.png().toBuffer()), 100)
  const [r, g, b, alpha] = await sharp(half!.file).raw().toBuffer()
  expect(alpha).toBe(128)
  // Scaling multiplies colour by alpha and divides again, which may round.
  expect(Math.max(Math.abs(r! - 16), Math.abs(g! - 32), Math.abs(b! - 48))).toBeLessThanOrEqual(1)

  const deep = await bench.downscale(
    await bench.put('deep.png', png({ width: 300, height: 200, bits: 16 })),
    100,
  )
  expect((await sharp(deep!.file).metadata()).depth as string).toBe('ushort')
})

test('the colour profile goes along, other metadata does not', async () => {
  const exif = { IFD0: { Artist: 'somebody' } }
  const source = await picture(300, 200).withIccProfile('p3').withExifMerge(exif).jpeg().toBuffer()
  expect((await sharp(source).metadata()).exif).toBeDefined()
  const result = await bench.downscale(await bench.put('p3.jpg', source), 100)
  const [before, after] = [await sharp(source).metadata(), await sharp(result!.file).metadata()]
  expect(after.icc!.equals(before.icc!)).toBe(true)
  expect(after.exif).toBeUndefined()
})

test('CMYK becomes sRGB without its profile', async () => {
  const source = await picture(300, 200).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
  const result = await bench.downscale(await bench.put('cmyk.jpg', source), 100)
  expect(await sharp(result!.file).metadata()).toMatchObject({
    format: 'jpeg',
    space: 'srgb',
    hasProfile: false,
  })
})

test('what ought to be scaled and cannot be is refused', async () => {
  const whole = await picture(900, 600).png().toBuffer()
  const torn = await bench.put('torn.png', whole.subarray(0, whole.length / 2))
  const bomb = await bench.put('bomb.png', png({ width: 30_000, height: 30_000, bits: 1, colour: 0 }))
  await expect(bench.downscale(torn, 100)).rejects.toMatchObject({ reason: 'refused' })
  await expect(bench.downscale(bomb, 100)).rejects.toMatchObject({ reason: 'refused' })
  await expect(bench.downscale(`${bomb}.gone.png`, 100)).rejects.toMatchObject({ code: 'ENOENT' })
})
