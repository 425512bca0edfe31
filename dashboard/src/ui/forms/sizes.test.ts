import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseTypedSize, toTypedSize } from './sizes.ts'

const MB = 1024 * 1024

describe('what is typed', () => {
  test.each([
    ['2', 'GB', 2048 * MB],
    ['1,5', 'MB', 1.5 * MB],
    ['1.5', 'MB', 1.5 * MB],
    [' 512 ', 'MB', 512 * MB],
    ['3,', 'MB', 3 * MB],
    ['', 'MB', null],
    ['  ', 'GB', null],
    ['0', 'MB', undefined],
    ['0,0000000001', 'MB', undefined],
    ['-1', 'MB', undefined],
    ['viel', 'MB', undefined],
    ['1e3', 'MB', undefined],
    ['1.000,5', 'MB', undefined],
    ['9999999999', 'GB', undefined],
  ] as const)('%j %s', (text, unit, bytes) => expect(parseTypedSize({ text, unit })).toBe(bytes))
})

describe('what is shown for editing', () => {
  test.each([
    [2048 * MB, { text: '2', unit: 'GB' }],
    [1536 * MB, { text: '1,5', unit: 'GB' }],
    [50 * MB, { text: '50', unit: 'MB' }],
    [1.5 * MB, { text: '1,5', unit: 'MB' }],
    [1025 * MB, { text: '1025', unit: 'MB' }],
    [null, { text: '', unit: 'MB' }],
  ] as const)('%p', (bytes, shown) => expect(toTypedSize(bytes, ',')).toEqual(shown))

  test('and saved again is the same size, to the byte', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 45 }), bytes => {
        expect(parseTypedSize(toTypedSize(bytes, ','))).toBe(bytes)
      }),
    )
  })
})
