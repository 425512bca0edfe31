import { expect, test } from 'bun:test'
import { DEFAULT_PICTURE_SIZES } from '../../../../src/contract/files/picture-sizes.ts'
import { type CardSpace, sharperSize } from './sharper-size.ts'

const photo = (breite?: number, hoehe?: number, other = {}) => ({
  art: 'bilder' as const,
  vorschau: 'v',
  ...(breite !== undefined && { breite }),
  ...(hoehe !== undefined && { hoehe }),
  ...other,
})
const CARD = { width: 300, height: 200 }
const WIDE = { width: 640, height: 200 }

test.each<[string, ReturnType<typeof photo>, CardSpace, number, string | null]>([
  ['on an ordinary screen the preview is enough', photo(3000, 2000), CARD, 1, null],
  ['a little enlarged it is enough too', photo(3000, 2000), CARD, 2, null],
  ['on a dense screen it is not', photo(3000, 2000), CARD, 3, 'mittel'],
  ['a panorama is wider than its preview', photo(6400, 2000), WIDE, 1, 'mittel'],
  ['on a dense screen it takes the next size', photo(6400, 2000), WIDE, 2, 'gross'],
  ['a high picture by its height', photo(1000, 4000), { width: 160, height: 400 }, 2, 'mittel'],
  ['the largest size if none is enough', photo(9000, 3000), { width: 1500, height: 500 }, 2, 'gross'],
  ['the picture is not larger than its preview', photo(480, 320), CARD, 3, null],
  ['or hardly larger', photo(560, 370), CARD, 3, null],
  ['a frame of a film has no larger size', photo(3000, 2000, { art: 'video' }), CARD, 3, null],
  ['without a preview', photo(3000, 2000, { vorschau: null }), CARD, 3, null],
  ['without known dimensions', photo(), CARD, 3, null],
])('%s', (_, file, room, pixelRatio, name) => {
  expect(sharperSize(file, DEFAULT_PICTURE_SIZES, room, pixelRatio)?.name ?? null).toBe(name)
})

test('without sizes, and with none larger than a preview, the preview', () => {
  const small = DEFAULT_PICTURE_SIZES.filter(({ name }) => name === 'klein')
  for (const sizes of [[], small]) expect(sharperSize(photo(3000, 2000), sizes, CARD, 3)).toBeNull()
})
