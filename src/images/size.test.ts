import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import sharp, { type Sharp } from 'sharp'
import { needsTool } from '../../test/support/tools.ts'
import type { SizeGeometry } from '../contract/files/picture-geometry.ts'
import type { SizeFormat } from './protocol.ts'
import { type Bench, createBench, fixturePath } from './testing/bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await createBench()
})
afterAll(() => bench.close())

const box = (edge: number): SizeGeometry => ({ breite: edge, hoehe: edge, art: 'einpassen' })
const cut = (breite: number, hoehe: number): SizeGeometry => ({ breite, hoehe, art: 'fuellen' })

const solid = (width: number, height: number, background = '#c04020') =>
  sharp({ create: { width, height, channels: 3, background } })

/** Red beside blue, as they are seen; stored lying down with the orientation that turns it upright. */
async function turned(orientation: number): Promise<Buffer> {
  const blue = await solid(200, 300, '#0000ff').png().toBuffer()
  const upright = solid(400, 300, '#ff0000').composite([{ input: blue, left: 200, top: 0 }])
  const back: Record<number, (from: Sharp) => Sharp> = {
    3: from => from.rotate(180),
    6: from => from.rotate(270),
    8: from => from.rotate(90),
  }
  const stored = back[orientation]!(sharp(await upright.png().toBuffer()))
  return stored.withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
}

async function colour(file: string, left: number, top: number): Promise<number[]> {
  return [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

async function make(name: string, bytes: Uint8Array | string, size: SizeGeometry, format: SizeFormat) {
  const made = await bench.size(await bench.writeSource(name, bytes), size, format)
  if (!made) return null
  const {
    format: stored,
    width,
    height,
    icc,
    exif,
    orientation,
    compression,
  } = await sharp(made.file).metadata()
  expect({ width, height }).toEqual({ width: made.width, height: made.height })
  expect(exif ?? orientation).toBeUndefined()
  return {
    ...made,
    stored: compression === 'av1' ? 'avif' : (stored as string),
    icc,
    measures: `${width}x${height}`,
  }
}

const FORMATS: [SizeFormat, string, string][] = [
  ['avif', 'image/avif', 'avif'],
  ['webp', 'image/webp', 'webp'],
  ['jpeg', 'image/jpeg', 'jpeg'],
  ['plain', 'image/jpeg', 'jpeg'],
]

describe.each(FORMATS)('%s', (format, type, stored) => {
  test.each([
    [box(320), '320x160'],
    [cut(100, 100), '100x100'],
    [{ breite: null, hoehe: 30, art: 'einpassen' } as const, '60x30'],
    [box(4000), '800x400'],
    [cut(1000, 1000), '400x400'],
  ])('%j', async (size, measures) => {
    const made = await make('a.png', await solid(800, 400).png().toBuffer(), size, format)
    expect(made).toMatchObject({ type, stored, measures })
  })

  test.each([3, 6, 8])('stands upright from orientation %d', async orientation => {
    const made = (await make('turned.jpg', await turned(orientation), box(200), format))!
    expect(made.measures).toBe('200x150')
    const [red, blue] = [await colour(made.file, 50, 75), await colour(made.file, 150, 75)]
    expect(red[0]! > 200 && red[2]! < 60, String(red)).toBe(true)
    expect(blue[2]! > 200 && blue[0]! < 60, String(blue)).toBe(true)
  })

  test('a wide gamut keeps its profile, sRGB goes without', async () => {
    const wide = await solid(60, 40).withIccProfile('p3').png().toBuffer()
    const usual = await solid(60, 40).withIccProfile('srgb').png().toBuffer()
    expect((await make('p3.png', wide, box(30), format))?.icc).toBeDefined()
    expect((await make('srgb.png', usual, box(30), format))?.icc).toBeUndefined()
  })
})

describe('transparency', () => {
  const transparent = () =>
    sharp({ create: { width: 80, height: 80, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer()

  test.each([
    ['plain', 'image/png', 0],
    ['webp', 'image/webp', 0],
    ['avif', 'image/avif', 0],
  ] as const)('%s keeps it, as %s', async (format, type, alpha) => {
    const made = (await make('clear.png', await transparent(), box(40), format))!
    expect(made.type).toBe(type)
    expect((await colour(made.file, 20, 20))[3]).toBe(alpha)
  })

  test('jpeg: becomes white', async () => {
    const made = (await make('clear.png', await transparent(), box(40), 'jpeg'))!
    expect(await colour(made.file, 20, 20)).toEqual([255, 255, 255])
  })

  test('an alpha channel without a transparent pixel makes no PNG', async () => {
    const opaque = await solid(80, 80).ensureAlpha(1).png().toBuffer()
    expect((await make('opaque.png', opaque, box(40), 'plain'))?.type).toBe('image/jpeg')
  })
})

test('SVG is drawn at its size and never larger', async () => {
  const icon = (edge: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}"><rect width="50%" height="100%"/></svg>`
  expect((await make('small.svg', icon(16), box(320), 'webp'))?.measures).toBe('16x16')
  expect((await make('huge.svg', icon(10_000), box(320), 'webp'))?.measures).toBe('320x320')
  const sharpEdge = (await make('icon.svg', icon(1000), box(100), 'plain'))!
  const [inside, outside] = [await colour(sharpEdge.file, 48, 50), await colour(sharpEdge.file, 51, 50)]
  expect([inside[3], outside[3]]).toEqual([255, 0])
})

test('of an animation the first frame', async () => {
  const pages = await sharp(
    [await solid(20, 20, '#ff0000').png().toBuffer(), await solid(20, 20, '#0000ff').png().toBuffer()],
    {
      join: { animated: true },
    },
  )
    .gif()
    .toBuffer()
  const made = (await make('moving.gif', pages, box(10), 'webp'))!
  expect((await sharp(made.file).metadata()).pages ?? 1).toBe(1)
  expect((await colour(made.file, 5, 5))[0]).toBeGreaterThan(200)
})

test('a damaged picture is refused, one over the limits gives nothing', async () => {
  const broken = await bench.writeSource('broken.png', 'no picture')
  await expect(bench.size(broken, box(100), 'webp')).rejects.toMatchObject({ reason: 'refused' })
  const small = await createBench({ pixels: 100 })
  try {
    const picture = await small.writeSource('a.png', await solid(20, 20).png().toBuffer())
    expect(await small.size(picture, box(10), 'webp')).toBeNull()
  } finally {
    await small.close()
  }
})

test('other files have no sizes, and no decoder looks at them', async () => {
  const bare = await createBench()
  try {
    expect(await bare.size(await bare.writeSource('a.mp3', 'x'), box(10), 'webp')).toBeNull()
    expect(await bare.size(await bare.writeSource('a.pdf', 'x'), box(10), 'webp')).toBeNull()
    expect(bare.startedPids).toEqual([])
  } finally {
    await bare.close()
  }
})

describe('a film', () => {
  needsTool('ffmpeg')

  test.each<[string, SizeGeometry, string]>([
    ['clip.mp4', box(100), 'fits'],
    ['rotated.mp4', box(100), 'upright'],
    ['wide-pixels.mp4', cut(40, 40), 'cut'],
    ['clip.avi', box(100), 'without known measures'],
  ])('%s', async (name, size) => {
    const made = (await bench.size(fixturePath(name), size, 'webp'))!
    const { width, height } = await sharp(made.file).metadata()
    expect(Math.max(width, height)).toBeLessThanOrEqual(100)
    if (name === 'rotated.mp4') expect(height).toBeGreaterThan(width)
    if (size.art === 'fuellen') expect([width, height]).toEqual([40, 40])
  })

  test('is never enlarged', async () => {
    const clip = await bench.derive(fixturePath('clip.mp4'))
    const made = (await bench.size(fixturePath('clip.mp4'), box(4000), 'webp'))!
    expect([made.width, made.height]).toEqual([clip.width!, clip.height!])
  })
})
