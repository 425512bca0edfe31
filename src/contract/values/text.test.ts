import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { splitUnquoted, trimBothEnds, trimTrailing } from './text.ts'

test.each([
  ['', '-', ''],
  ['---', '-', ''],
  ['--a-b--', '-', 'a-b'],
  ['._-a', '._-', 'a'],
  ['a', '', 'a'],
])('%j without %j at its ends is %j', (text, characters, expected) =>
  expect(trimBothEnds(text, characters)).toBe(expected),
)

test('trimming leaves everything but the ends', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab-.') }), text => {
      expect(trimTrailing(text, '-.')).toBe(text.replace(/[-.]+$/, ''))
      expect(trimBothEnds(text, '-.')).toBe(text.replace(/^[-.]+/, '').replace(/[-.]+$/, ''))
    }),
  )
})

describe('split outside of quotes', () => {
  test.each([
    ['', ['']],
    ['a;b', ['a', 'b']],
    [';', ['', '']],
    ['a="x;y";b', ['a="x;y"', 'b']],
    ['a="x\\";y";b', ['a="x\\";y"', 'b']],
    ['a="x\\\\";b', ['a="x\\\\"', 'b']],
    // A quote that is never closed hides all that follows.
    ['a="x;y', ['a="x;y']],
    ['a="x\\', ['a="x\\']],
  ])('%j', (text, parts) => expect(splitUnquoted(text, ';')).toEqual(parts))

  test('the parts together are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a;"\\ ') }), text =>
        expect(splitUnquoted(text, ';').join(';')).toBe(text),
      ),
    )
  })
})
