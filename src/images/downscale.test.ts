import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { type Bench, createBench, fixturePath } from './testing/bench.ts'
import { animation, chunk, gif, png } from './testing/pictures.ts'

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
  const file = await bench.writeSource(`large.${extension}`, await make())
  const result = await bench.downscale(file, 100)
  expect(`${result!.from.width}x${result!.from.height}`).toBe(from)
  expect(`${result!.to.width}x${result!.to.height}`).toBe(to)
  const [before, after] = [await sharp(file).metadata(), await sharp(result!.file).metadata()]
  expect(`${after.width}x${after.height}`).toBe(to)
  expect([after.format, after.orientation ?? 1]).toEqual([before.format, 1])
  expect(Bun.file(result!.file).size).toBe(result!.size)
})

const joined = async (side: number) => {
  const frames = ['red', 'lime'].map(background =>
    sharp({ create: { width: side, height: side / 2, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
}

const several: [string, string, () => Promise<Buffer>][] = [
  ['animated GIF', 'gif', async () => gif(200, 2)],
  ['animated WebP', 'webp', async () => (await joined(200)).webp().toBuffer()],
  ['TIFF of several pages', 'tiff', async () => (await joined(200)).tiff().toBuffer()],
]
test.each(several)('%s: every page is scaled', async (_, extension, make) => {
  const file = await bench.writeSource(`several.${extension}`, await make())
  const result = await bench.downscale(file, 100)
  const [before, after] = await Promise.all(
    [file, result!.file].map(name => sharp(name, { animated: true }).metadata()),
  )
  expect([result!.to.width, result!.to.height]).toEqual([after!.width, after!.pageHeight!])
  expect(after).toMatchObject({ width: 100, pages: 2, format: before!.format as string })
  expect([after!.delay, after!.loop]).toEqual([before!.delay, before!.loop])
})

const left: [string, string, () => string | Uint8Array | Promise<Buffer>][] = [
  ['exactly at the edge', 'png', () => picture(100, 100).png().toBuffer()],
  ['smaller, never enlarged', 'png', () => picture(10, 10).png().toBuffer()],
  ['animation within the edge', 'gif', () => gif(100, 2)],
  ['vector graphics', 'svg', () => '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>'],
  [
    'vector graphics under another name',
    'png',
    () => '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>',
  ],
]
test.each(left)('left alone: %s', async (_, extension, make) => {
  const before = await bench.leftovers()
  expect(await bench.downscale(await bench.writeSource(`left.${extension}`, await make()), 100)).toBeNull()
  expect(await bench.leftovers()).toEqual(before)
})

test('left alone: video, documents', async () => {
  expect(await bench.downscale(fixturePath('clip.mp4'), 10)).toBeNull()
  expect(await bench.downscale(fixturePath('clip.mp4'), 10, 'application/pdf')).toBeNull()
})

/**
 * A TIFF whose second page is larger than its first: two files joined into one, with the offsets of the
 * second adjusted.
 */
async function unequalPages(): Promise<Buffer> {
  const [small, large] = await Promise.all([
    picture(50, 50).tiff().toBuffer(),
    picture(300, 300).tiff().toBuffer(),
  ])
  const shifted = Buffer.concat([small!, large!])
  const begin = small!.length
  const moveOffset = (at: number) => shifted.writeUInt32LE(shifted.readUInt32LE(at) + begin, at)
  const directory = (at: number) => at + 2 + shifted.readUInt16LE(at) * 12
  const second = begin + large!.readUInt32LE(4)
  for (let entry = second + 2; entry < directory(second); entry += 12) {
    const [tag, type, count] = [
      shifted.readUInt16LE(entry),
      shifted.readUInt16LE(entry + 2),
      shifted.readUInt32LE(entry + 4),
    ]
    const bytes = count * ({ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 }[type] ?? 1)
    if (bytes > 4) {
      moveOffset(entry + 8)
      // The offsets of the rows are a list themselves.
      if (tag === 273) for (let at = 0; at < count; at++) moveOffset(shifted.readUInt32LE(entry + 8) + at * 4)
    } else if (tag === 273) moveOffset(entry + 8)
  }
  shifted.writeUInt32LE(second, directory(small!.readUInt32LE(4)))
  return shifted
}

const unscalable: [string, string, () => string | Uint8Array | Promise<Uint8Array>][] = [
  ['animated PNG', 'png', () => png({ width: 200, height: 200, extraChunks: animation(2, 200, 200) })],
  [
    'animated PNG that declares its colours first',
    'png',
    () =>
      png({
        width: 200,
        height: 200,
        extraChunks: [chunk('cICP', Buffer.of(9, 16, 0, 1)), ...animation(2, 200, 200)],
      }),
  ],
  ['animated AVIF', 'avif', () => Bun.file(fixturePath('animated.avif')).bytes()],
  [
    // The library does not know the main brand `avis`; as a compatible brand it reads only the first frame.
    'animated AVIF that calls itself a picture',
    'avif',
    async () => {
      const moving = Buffer.from(await Bun.file(fixturePath('animated.avif')).bytes())
      moving.write('avif', 8, 'latin1')
      return moving
    },
  ],
  ['TIFF with a larger second page', 'tiff', unequalPages],
  ['more pixels in all frames than may be decoded', 'gif', () => gif(2000, 40)],
  ['no image inside', 'png', () => 'just text'],
  ['bitmap of a format nothing here reads', 'bmp', () => 'BM and so on'],
]
test.each(unscalable)('refused: %s', async (_, extension, make) => {
  const before = await bench.leftovers()
  const file = await bench.writeSource(`unscalable.${extension}`, await make())
  await expect(bench.downscale(file, 10)).rejects.toMatchObject({ reason: 'refused' })
  expect(await bench.leftovers()).toEqual(before)
})

test('PNG keeps transparency and 16 bits', async () => {
  const clear = sharp({ create: { width: 300, height: 300, channels: 4, background: '#10203080' } })
  const half = await bench.downscale(await bench.writeSource('half.png', await clear.png().toBuffer()), 100)
  const [r, g, b, alpha] = await sharp(half!.file).raw().toBuffer()
  expect(alpha).toBe(128)
  // Scaling multiplies colour by alpha and divides again, which may round.
  expect(Math.max(Math.abs(r! - 16), Math.abs(g! - 32), Math.abs(b! - 48))).toBeLessThanOrEqual(1)

  const deep = await bench.downscale(
    await bench.writeSource('deep.png', png({ width: 300, height: 200, bitDepth: 16 })),
    100,
  )
  expect((await sharp(deep!.file).metadata()).depth as string).toBe('ushort')
})

test('the colour profile goes along, other metadata does not', async () => {
  const exif = { IFD0: { Artist: 'somebody' } }
  const source = await picture(300, 200).withIccProfile('p3').withExifMerge(exif).jpeg().toBuffer()
  expect((await sharp(source).metadata()).exif).toBeDefined()
  const result = await bench.downscale(await bench.writeSource('p3.jpg', source), 100)
  const [before, after] = [await sharp(source).metadata(), await sharp(result!.file).metadata()]
  expect(after.icc!.equals(before.icc!)).toBe(true)
  expect(after.exif).toBeUndefined()
})

test('CMYK becomes sRGB without its profile', async () => {
  const source = await picture(300, 200).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
  const result = await bench.downscale(await bench.writeSource('cmyk.jpg', source), 100)
  expect(await sharp(result!.file).metadata()).toMatchObject({
    format: 'jpeg',
    space: 'srgb',
    hasProfile: false,
  })
})

test('what ought to be scaled and cannot be is refused', async () => {
  const whole = await picture(900, 600).png().toBuffer()
  const torn = await bench.writeSource('torn.png', whole.subarray(0, whole.length / 2))
  const bomb = await bench.writeSource(
    'bomb.png',
    png({ width: 30_000, height: 30_000, bitDepth: 1, colour: 0 }),
  )
  await expect(bench.downscale(torn, 100)).rejects.toMatchObject({ reason: 'refused' })
  await expect(bench.downscale(bomb, 100)).rejects.toMatchObject({ reason: 'refused' })
  await expect(bench.downscale(`${bomb}.gone.png`, 100)).rejects.toMatchObject({ code: 'ENOENT' })
})
