import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { extractName } from './missing.ts'

test.each([
  ['items/*.png', 'items/a.png', 'a'],
  ['items/*.png', 'items/a.b.png', 'a.b'],
  ['items/*.png', 'items/.png', null],
  ['items/*.png', 'items/a/b.png', null],
  ['items/*.png', 'items/a.jpg', null],
  ['items/*.png', 'items/a.png.png', 'a.png'],
  ['items/*.png', 'itemsX/a.png', null],
  ['*', 'a', 'a'],
  ['*', 'a/b', null],
  ['*/*.png', 'a/a.png', 'a'],
  ['*/*.png', 'a/b.png', null],
  ['*/*.png', 'ab/ab.png', 'ab'],
  ['x-*-*', 'x-1-1', '1'],
  ['x-*-*', 'x-1-2', null],
  ['**', 'abab', 'ab'],
  ['**', 'aba', null],
])('%j and %j: %j', (pattern, path, expected) => expect(extractName(pattern, path)).toBe(expected))

test('a name put into the pattern is the name found in it', () => {
  const part = fc.stringMatching(/^[a-c/.-]{0,4}$/)
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 2, maxLength: 4 }),
      fc.stringMatching(/^[a-c.-]{1,5}$/),
      (parts, name) => {
        expect(extractName(parts.join('*'), parts.join(name))).toBe(name)
      },
    ),
  )
})
