import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { type Bench, createBench, fixturePath } from './testing/bench.ts'
import { gif, png } from './testing/pictures.ts'

let bench: Bench
beforeAll(async () => {
  bench = await createBench()
})
afterAll(() => bench.close())

const solid = (width: number, height: number, background = '#c04020') =>
  sharp({ create: { width, height, channels: 3, background } })

/** Left half red, right half blue, stored rotated: after a quarter turn clockwise red is on top. */
async function rotatedJpeg(): Promise<Buffer> {
  const blue = await solid(300, 200, '#0000ff').png().toBuffer()
  return solid(600, 200, '#ff0000')
    .composite([{ input: blue, left: 300, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer()
}

async function pixel(file: string, left: number, top: number): Promise<number[]> {
  return [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

describe('preview', () => {
  const formats: [string, () => Promise<Buffer>, string][] = [
    ['png', () => solid(900, 300).png().toBuffer(), '480x160'],
    ['jpg', () => solid(300, 900).jpeg().toBuffer(), '160x480'],
    ['webp', () => solid(900, 300).webp().toBuffer(), '480x160'],
    ['avif', () => solid(900, 300).avif({ effort: 0 }).toBuffer(), '480x160'],
    ['tiff', () => solid(900, 300).tiff().toBuffer(), '480x160'],
    ['gif', () => solid(900, 300).gif().toBuffer(), '480x160'],
    ['jpg', () => solid(20, 10).jpeg().toBuffer(), '20x10'],
  ]
  test.each(formats)('of %s is WebP of at most 480 pixels', async (extension, make, expected) => {
    const bytes = await make()
    const { width, height } = await sharp(bytes).metadata()
    const derived = await bench.derive(await bench.writeSource(`a.${extension}`, bytes), {
      parts: ['preview'],
    })
    expect(derived).toEqual({
      width,
      height,
      preview: { file: expect.any(String), size: expect.any(Number) },
    })
    const preview = await sharp(derived.preview!.file).metadata()
    expect([preview.format as string, `${preview.width}x${preview.height}`]).toEqual(['webp', expected])
    expect(Bun.file(derived.preview!.file).size).toBe(derived.preview!.size)
  })

  test('of a small icon is drawn sharp at full size', async () => {
    const icon =
      '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="8"><rect width="8" height="8"/></svg>'
    const derived = await bench.derive(await bench.writeSource('icon.svg', icon))
    expect(derived).toMatchObject({ width: 16, height: 8 })
    expect(derived.variant).toBeUndefined()
    expect(await sharp(derived.preview!.file).metadata()).toMatchObject({ width: 480, height: 240 })
    // The edge lies between two pixels: the picture was not enlarged from 16.
    expect((await pixel(derived.preview!.file, 235, 100))[3]).toBe(255)
    expect((await pixel(derived.preview!.file, 245, 100))[3]).toBe(0)
  })

  test('keeps transparency', async () => {
    const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: '#00ff0000' } })
    const derived = await bench.derive(await bench.writeSource('clear.png', await clear.png().toBuffer()))
    expect((await pixel(derived.preview!.file, 10, 10))[3]).toBe(0)
  })

  test('of an animation is its first frame', async () => {
    const frames = await Promise.all(['#ff0000', '#00ff00'].map(c => solid(40, 20, c).png().toBuffer()))
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer()
    for (const file of [
      await bench.writeSource('b.webp', moving),
      await bench.writeSource('b.gif', gif(1, 3)),
    ]) {
      expect((await sharp(file).metadata()).pages).toBeGreaterThan(1)
      const derived = await bench.derive(file)
      const preview = await sharp(derived.preview!.file).metadata()
      expect(preview.pages ?? 1).toBe(1)
      expect([derived.width, derived.height]).toEqual([preview.width, preview.height])
      const [red, green] = await pixel(derived.preview!.file, 0, 0)
      expect([red! > 200, green! < 50]).toEqual([true, true])
    }
  })

  test('of a JPEG without its last rows shows the others; a variant would pass the damage on', async () => {
    const whole = await rotatedJpeg()
    const file = await bench.writeSource('short.jpg', whole.subarray(0, whole.length - 300))
    const derived = await bench.derive(file)
    expect(Object.keys(derived).sort()).toEqual(['height', 'preview', 'width'])
  })
})

test('orientation is applied to dimensions, preview and variant', async () => {
  const derived = await bench.derive(await bench.writeSource('turned.jpg', await rotatedJpeg()))
  expect(derived).toMatchObject({ width: 200, height: 600 })
  for (const [file, width, height] of [
    [derived.variant!.file, 200, 600],
    [derived.preview!.file, 160, 480],
  ] as const) {
    const found = await sharp(file).metadata()
    expect([found.width, found.height, found.orientation ?? 1]).toEqual([width, height, 1])
    const [top, bottom] = [await pixel(file, 80, 20), await pixel(file, 80, height - 20)]
    expect([top[0]! > 200, top[2]! < 60, bottom[0]! < 60, bottom[2]! > 200]).toEqual([true, true, true, true])
  }
})

test('only what was asked for is made', async () => {
  const file = await bench.writeSource('plain.png', png({ width: 200, height: 100 }))
  const before = await bench.leftovers()
  expect(await bench.derive(file, { parts: [] })).toEqual({ width: 200, height: 100 })
  expect(await bench.leftovers()).toEqual(before)
})

test('other types are answered without a decoder', async () => {
  const idle = await createBench()
  expect(await idle.derive(fixturePath('clip.mp4'), { mime: 'application/pdf' })).toEqual({})
  expect(await idle.derive(fixturePath('clip.mp4'), { mime: 'text/plain; charset=utf-8' })).toEqual({})
  expect(idle.startedPids).toEqual([])
  await idle.close()
})

test('a source that is gone, and a folder that is not there, are no broken pictures', async () => {
  const file = await bench.writeSource('here.png', png({ width: 20, height: 10 }))
  await expect(bench.derive(`${file}.gone.png`)).rejects.toMatchObject({ code: 'ENOENT', name: 'Error' })
  await expect(bench.derive(file, { scratch: `${bench.folder}/nowhere` })).rejects.toMatchObject({
    code: 'ENOENT',
  })
})
