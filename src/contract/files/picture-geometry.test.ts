import { describe, expect, test } from 'bun:test'
import { type SizeGeometry, scaledDimensions, scaleOf } from './picture-geometry.ts'

const fit = (breite: number | null, hoehe: number | null): SizeGeometry => ({
  breite,
  hoehe,
  art: 'einpassen',
})
const fill = (breite: number, hoehe: number): SizeGeometry => ({ breite, hoehe, art: 'fuellen' })

const made = (picture: string, size: SizeGeometry) => {
  const [width = 0, height = 0] = picture.split('x').map(Number)
  const measures = scaledDimensions({ width, height }, size)
  return `${measures.width}x${measures.height}`
}

describe('einpassen keeps the ratio within both edges', () => {
  test.each([
    ['4000x3000', fit(320, 320), '320x240'],
    ['3000x4000', fit(320, 320), '240x320'],
    ['4000x3000', fit(320, 100), '133x100'],
    ['4000x3000', fit(320, null), '320x240'],
    ['4000x3000', fit(null, 240), '320x240'],
    ['10000x10', fit(320, 320), '320x1'],
  ])('%s', (picture, size, expected) => expect(made(picture, size)).toBe(expected))

  test.each([
    ['200x100', fit(320, 320)],
    ['320x320', fit(320, 320)],
    ['200x100', fit(null, 4096)],
    ['1x1', fit(960, null)],
  ])('%s is not enlarged', (picture, size) => expect(made(picture, size)).toBe(picture))
})

describe('one edge alone leaves the other one any length, within what the formats can hold', () => {
  test.each([
    ['100x20000', fit(100, null), '82x16383'],
    ['20000x100', fit(null, 100), '16383x82'],
    ['8000x16000', fit(4096, null), '2896x5793'],
  ])('%s', (picture, size, expected) => expect(made(picture, size)).toBe(expected))
})

describe('fuellen cuts to the ratio of the edges', () => {
  test.each([
    ['4000x3000', fill(400, 400), '400x400'],
    ['3000x4000', fill(1600, 900), '1600x900'],
    // Too small for both edges: their ratio, as large as the picture allows.
    ['200x100', fill(400, 300), '133x100'],
    ['100x200', fill(400, 300), '100x75'],
    ['500x100', fill(400, 300), '133x100'],
    ['1x5', fill(400, 300), '1x1'],
  ])('%s', (picture, size, expected) => expect(made(picture, size)).toBe(expected))

  test('the scale is that of the shorter edge, so that the picture covers the cut', () => {
    expect(scaleOf({ width: 1000, height: 500 }, fill(100, 100))).toBe(0.2)
    expect(scaleOf({ width: 1000, height: 500 }, fill(100, 1000))).toBe(1)
  })
})

test('no picture in any size is larger than the original, or empty', () => {
  const edges = [null, 1, 2, 319, 320, 4096]
  const lengths = [1, 2, 3, 17, 319, 320, 321, 5000, 30_000]
  const sizes = edges.flatMap(breite =>
    edges.flatMap(hoehe =>
      breite !== null && hoehe !== null ? [fit(breite, hoehe), fill(breite, hoehe)] : [fit(breite, hoehe)],
    ),
  )
  for (const size of sizes)
    for (const width of lengths)
      for (const height of lengths) {
        const measures = scaledDimensions({ width, height }, size)
        const where = JSON.stringify({ width, height, size, measures })
        expect(measures.width <= width && measures.height <= height, where).toBe(true)
        expect(measures.width >= 1 && measures.height >= 1, where).toBe(true)
        expect(measures.width <= (size.breite ?? 16_383), where).toBe(true)
        expect(measures.height <= (size.hoehe ?? 16_383), where).toBe(true)
      }
})
