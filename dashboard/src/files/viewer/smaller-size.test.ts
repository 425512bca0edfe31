import { expect, test } from 'bun:test'
import { DEFAULT_PICTURE_SIZES } from '../../../../src/contract/files/picture-sizes.ts'
import { smallerSize, type ViewingConditions } from './smaller-size.ts'

const LAPTOP = { width: 1366, height: 768, pixelRatio: 1, isSlow: false }
const PHONE = { width: 390, height: 844, pixelRatio: 3, isSlow: false }
const photo = (breite?: number, hoehe?: number, mime = 'image/jpeg') => ({
  mime,
  ...(breite !== undefined && { breite }),
  ...(hoehe !== undefined && { hoehe }),
})

test.each<[string, ReturnType<typeof photo>, ViewingConditions, string | null]>([
  ['much larger than a laptop', photo(6000, 4000), LAPTOP, 'gross'],
  ['a little larger', photo(2400, 1600), LAPTOP, null],
  ['no larger than the window', photo(800, 600), LAPTOP, null],
  ['on a slow line the size that fills the window', photo(2400, 1600), { ...LAPTOP, isSlow: true }, 'gross'],
  ['on a slow phone its pixels do not count', photo(4000, 3000), { ...PHONE, isSlow: true }, 'mittel'],
  ['on a fast phone they do', photo(4000, 3000), PHONE, 'gross'],
  [
    'on a slow line the largest size if none is enough',
    photo(9000, 6000),
    { ...LAPTOP, width: 5000, height: 4000, isSlow: true },
    'gross',
  ],
  ['none is smaller than the picture', photo(300, 200), { ...LAPTOP, isSlow: true }, null],
  ['what may move', photo(6000, 4000, 'image/gif'), { ...LAPTOP, isSlow: true }, null],
  ['without known dimensions', photo(), { ...LAPTOP, isSlow: true }, null],
])('%s', (_, file, viewing, name) => {
  expect(smallerSize(file, DEFAULT_PICTURE_SIZES, viewing)?.name ?? null).toBe(name)
})

test('without sizes the original', () => {
  expect(smallerSize(photo(6000, 4000), [], { ...LAPTOP, isSlow: true })).toBeNull()
})
