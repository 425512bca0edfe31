import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { lowerCaseAscii } from './lower-case.ts'
import { germanPathFault, isValidPath, PATH_MAX_LENGTH } from './path-rules.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const FIRST = `${LETTERS}0123456789`
const LATER = `${FIRST}.-_`

/**
 * Rules 1 to 4 of the specification, implemented again character by character, sharing nothing with the
 * source.
 */
function mayBeStored(path: string): boolean {
  let levels = 1
  let segmentIsEmpty = true
  let characters = 0
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at)
    characters++
    if (character === '/') {
      if (segmentIsEmpty) return false
      levels++
      segmentIsEmpty = true
    } else {
      if (!(segmentIsEmpty ? FIRST : LATER).includes(character)) return false
      segmentIsEmpty = false
    }
  }
  return !segmentIsEmpty && levels <= 8 && characters <= 200
}

const one = (characters: string) => fc.constantFrom(...characters)
const HOSTILE = [
  ...'./\\_-~=%:*?"<>| \n\r\t\0',
  '..',
  '//',
  '/.',
  '/_',
  'ä',
  'ß',
  '\u212a',
  '１',
  'é',
  '😀',
  '\u2028',
]

const segment = fc
  .tuple(one(FIRST), fc.string({ unit: one(LATER), maxLength: 30 }))
  .map(([first, later]) => first + later)
const segments = fc.array(segment, { minLength: 1, maxLength: 10 }).map(list => list.join('/'))
/** Valid but for one or two insertions of characters that the rules mention. */
const damaged = fc
  .tuple(
    segments,
    fc.array(fc.tuple(fc.nat(300), fc.constantFrom(...HOSTILE)), { minLength: 1, maxLength: 2 }),
  )
  .map(([path, wounds]) =>
    wounds.reduce(
      (text, [at, what]) => text.slice(0, at % (text.length + 1)) + what + text.slice(at % (text.length + 1)),
      path,
    ),
  )
const nearTheLimit = fc
  .tuple(fc.integer({ min: 195, max: 205 }), fc.array(fc.nat(190), { maxLength: 8 }))
  .map(([length, cuts]) => {
    const characters = Array.from({ length }, () => 'a')
    // Never two adjacent slashes, so that only length and levels decide.
    for (const cut of cuts) characters[(cut | 1) - 1 || 2] = '/'
    return characters.join('')
  })
const nearlyValid = fc.oneof(
  { arbitrary: segments, weight: 4 },
  { arbitrary: damaged, weight: 4 },
  { arbitrary: nearTheLimit, weight: 2 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 20 }), weight: 1 },
)

describe('pathFault', () => {
  test('agrees with an independent statement of the rules', () => {
    const seen = { valid: 0, invalid: 0 }
    fc.assert(
      fc.property(nearlyValid, path => {
        seen[mayBeStored(path) ? 'valid' : 'invalid']++
        return (
          (germanPathFault(path) === null) === mayBeStored(path) && isValidPath(path) === mayBeStored(path)
        )
      }),
      { numRuns: 4000 },
    )
    // The generator is useful only if it often produces both valid and invalid paths.
    expect(seen.valid).toBeGreaterThan(500)
    expect(seen.invalid).toBeGreaterThan(500)
  })

  const characters = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code))
  test('every character up to U+024F, as the first, as a later and as the only one', () => {
    const around = (one: string) => [one, `${one}a`, `a${one}`, `a/${one}`, `a${one}a`]
    const disputed = characters.flatMap(around).filter(path => isValidPath(path) !== mayBeStored(path))
    expect(disputed).toEqual([])
  })

  const VALID = ['a', '0', 'Z', 'a..b.png', 'a.', 'a-_.', 'thumbs/a.png', 'x/y.png', '1/2/3/4/5/6/7/8', 'con']
  test.each([...VALID, 'a'.repeat(PATH_MAX_LENGTH), `${'a'.repeat(99)}/${'b'.repeat(100)}`])(
    'takes %s',
    path => expect(germanPathFault(path)).toBeNull(),
  )

  test.each([
    ['', 'leer'],
    ['/', 'leeren Abschnitt'],
    ['/a', 'leeren Abschnitt'],
    ['a/', 'leeren Abschnitt'],
    ['a//b', 'leeren Abschnitt'],
    ['..', 'beginnt'],
    ['a/../b', 'beginnt'],
    ['.hidden', 'beginnt'],
    ['_a', 'beginnt'],
    ['-a', 'beginnt'],
    ['a/_b', 'beginnt'],
    ['a\\b', 'beginnt'],
    ['a b', 'beginnt'],
    ['a\n', 'beginnt'],
    ['a%2e', 'beginnt'],
    ['straße', 'beginnt'],
    ['1/2/3/4/5/6/7/8/9', '8 Ebenen'],
    ['a'.repeat(PATH_MAX_LENGTH + 1), '200 Zeichen'],
    [`${'a'.repeat(100)}/${'b'.repeat(100)}`, '200 Zeichen'],
  ])('refuses %j and says why', (path, why) => expect(germanPathFault(path)).toContain(why))

  test('lower-casing corrects nothing: what it makes is valid only if it was valid before', () => {
    expect(lowerCaseAscii('Items/ABC.png')).toBe('items/abc.png')
    const corrected = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
      character => isValidPath(lowerCaseAscii(character)) !== isValidPath(character),
    )
    expect(corrected).toEqual([])
  })
})
