import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  isNotModified,
  isPreconditionMet,
  isRangeStillValid,
  matchesIfNoneMatch,
  requestedRange,
  startsAtFirstByte,
} from './conditions.ts'

const TAG = '"0123abcd"'
const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'
const EARLIER = 'Sun, 06 Nov 1994 08:49:36 GMT'
const LATER = 'Sun, 06 Nov 1994 08:49:38 GMT'
const CURRENT = { etag: TAG, modified: Date.parse(DATE) }

describe('If-None-Match', () => {
  test.each([
    TAG,
    `W/${TAG}`,
    `  ${TAG}  `,
    `"other", ${TAG}`,
    `"other",${TAG},"third"`,
    `W/"other" , W/${TAG}`,
    `"a,b", ${TAG}`,
    `"", ${TAG}`,
    '*',
    ' * ',
  ])('%s matches', header => expect(matchesIfNoneMatch(header, TAG)).toBe(true))

  test.each([
    '',
    '"other"',
    '0123abcd',
    '"0123abcd',
    '"0123abcd-w"',
    '"0123ABCD"',
    '"x0123abcd"',
    '" 0123abcd"',
    '"*"',
    '**',
    '"0123", "abcd"',
    `"a, ${TAG.slice(1)}`,
  ])('%j does not match', header => expect(matchesIfNoneMatch(header, TAG)).toBe(false))

  test('the tag of the variant and that of the original are two', () => {
    expect(matchesIfNoneMatch('"0123abcd-w"', '"0123abcd-w"')).toBe(true)
    expect(matchesIfNoneMatch(TAG, '"0123abcd-w"')).toBe(false)
  })
})

describe('Range', () => {
  test.each([
    ['bytes=0-0', 10, 0, 1],
    ['bytes=0-', 10, 0, 10],
    ['bytes=0-9', 10, 0, 10],
    ['bytes=0-10', 10, 0, 10],
    ['bytes=9-', 10, 9, 10],
    ['bytes=9-9', 10, 9, 10],
    ['bytes=3-6', 10, 3, 7],
    ['bytes=-1', 10, 9, 10],
    ['bytes=-10', 10, 0, 10],
    ['bytes=-11', 10, 0, 10],
    ['BYTES=1-2', 10, 1, 3],
    ['bytes=007-008', 10, 7, 9],
    ['bytes=0-99999999999999999999', 10, 0, 10],
    ['bytes=-99999999999999999999', 10, 0, 10],
    [`bytes=0-${'9'.repeat(400)}`, 10, 0, 10],
    ['bytes=4294967296-4294967296', 5_000_000_000, 4_294_967_296, 4_294_967_297],
  ])('%s of %d bytes is %d up to %d', (header, size, start, end) =>
    expect(requestedRange(header, size)).toEqual({ start, end }),
  )

  test.each([
    ['bytes=10-', 10],
    ['bytes=10-10', 10],
    ['bytes=99999999999999999999-', 10],
    [`bytes=${'9'.repeat(400)}-${'9'.repeat(400)}`, 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=0-0', 0],
  ])('%s of %d bytes lies outside', (header, size) => expect(requestedRange(header, size)).toBe('outside'))

  test.each([
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-3',
    'bytes=a-b',
    'bytes=1.5-2',
    'bytes=--1',
    'bytes=+1-2',
    'bytes=0x1-0x2',
    'bytes=0-0,2-3',
    'bytes=0-0,',
    'chars=0-1',
    'bytes 0-1',
    'bytes=0-1 x',
    'bytes=1',
  ])('%j is none that is answered', header => expect(requestedRange(header, 10)).toBe('whole'))

  test('nothing is left of an empty object, also counted from its end', () =>
    expect(typeof requestedRange('bytes=-5', 0)).toBe('string'))

  const number = fc.oneof(fc.nat(30), fc.maxSafeNat(), fc.constant('99999999999999999999'), fc.constant(''))
  test('whatever is asked: a range lies inside, and is what was asked for', () => {
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 40 }), (from, to, size) => {
        const range = requestedRange(`bytes=${from}-${to}`, size)
        if (typeof range === 'string') return
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.start).toBeLessThan(range.end)
        expect(range.end).toBeLessThanOrEqual(size)
        const asked = Array.from({ length: size }, (_, at) => at).filter(at =>
          from === '' ? at >= size - Number(to) : at >= Number(from) && (to === '' || at <= Number(to)),
        )
        expect([range.start, range.end - 1]).toEqual([asked[0]!, asked.at(-1)!])
      }),
      { numRuns: 1000 },
    )
  })

  test('a suffix is exactly so many bytes, or all there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (last, size) => {
        const start = Math.max(size - last, 0)
        expect(requestedRange(`bytes=-${last}`, size)).toEqual({ start, end: size })
      }),
    )
  })

  test('any text at all is answered without trouble', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'bytes=0123456789- ,'), maxLength: 20 }), header => {
        const range = requestedRange(header, 10)
        if (typeof range !== 'string') expect(range.start < range.end && range.end <= 10).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a range from the first byte on', () => {
  test.each([
    'bytes=0-',
    'bytes=0-0',
    'bytes=00-5',
    'bytes=-10',
    'bytes=-99',
    'bytes=0-1,5-6',
    'nonsense',
    'bytes=5-3',
  ])('%s', header => expect(startsAtFirstByte(header, 10)).toBe(true))
  test.each(['bytes=1-', 'bytes=9-', 'bytes=-9', 'bytes=10-', 'bytes=-0', 'bytes=5-6,0-1', 'bytes=5-6, 8-'])(
    'the twin: %s',
    header => expect(startsAtFirstByte(header, 10)).toBe(false),
  )
})

describe('If-Range', () => {
  test.each([null, '', TAG, ` ${TAG} `, DATE, 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    '%p lets the range through',
    header => expect(isRangeStillValid(header, CURRENT)).toBe(true),
  )
  // A later date does not match either: section 13.1.5 requires exactly the same one.
  test.each(['"other"', `W/${TAG}`, '*', `${TAG}, "other"`, EARLIER, LATER, '0123abcd', 'Sun, 06 Nov 1994'])(
    '%j asks for the whole',
    header => expect(isRangeStillValid(header, CURRENT)).toBe(false),
  )
})

const fields = (given: Record<string, string>) => new Headers(given)

describe('304', () => {
  test.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ 'If-None-Match': TAG }, true],
    [{ 'If-None-Match': '"other"' }, false],
    [{ 'If-Modified-Since': DATE }, true],
    [{ 'If-Modified-Since': LATER }, true],
    [{ 'If-Modified-Since': EARLIER }, false],
    [{ 'If-Modified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, true],
    [{ 'If-Modified-Since': 'Sun Nov  6 08:49:37 1994' }, true],
    // Not an HTTP date, or two of them: ignored.
    [{ 'If-Modified-Since': '1994-11-06T08:49:37Z' }, false],
    [{ 'If-Modified-Since': '784111777' }, false],
    [{ 'If-Modified-Since': `${DATE}, ${DATE}` }, false],
    [{ 'If-Modified-Since': '' }, false],
    // The tag takes precedence over the date, whichever way it decides.
    [{ 'If-None-Match': '"other"', 'If-Modified-Since': LATER }, false],
    [{ 'If-None-Match': TAG, 'If-Modified-Since': EARLIER }, true],
  ])('%j: %p', (headers, known) => expect(isNotModified(fields(headers), CURRENT)).toBe(known))
})

describe('412', () => {
  test.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ 'If-Match': TAG }, true],
    [{ 'If-Match': `"other", ${TAG}` }, true],
    [{ 'If-Match': '*' }, true],
    [{ 'If-Match': '"other"' }, false],
    [{ 'If-Match': `W/${TAG}` }, false],
    [{ 'If-Match': '' }, false],
    [{ 'If-Unmodified-Since': DATE }, true],
    [{ 'If-Unmodified-Since': LATER }, true],
    [{ 'If-Unmodified-Since': EARLIER }, false],
    [{ 'If-Unmodified-Since': 'yesterday' }, true],
    [{ 'If-Match': TAG, 'If-Unmodified-Since': EARLIER }, true],
    [{ 'If-Match': '"other"', 'If-Unmodified-Since': LATER }, false],
  ])('%j goes on: %p', (headers, goesOn) => expect(isPreconditionMet(fields(headers), CURRENT)).toBe(goesOn))
})
