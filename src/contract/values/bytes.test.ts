import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatBytes } from './bytes.ts'

const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

describe('formatBytes', () => {
  test.each([
    [0, '0 Byte'],
    [1, '1 Byte'],
    [422, '422 Byte'],
    [1023, '1023 Byte'],
    [KB, '1 KB'],
    [KB + 1, '1 KB'],
    [1536, '1,5 KB'],
    [1126, '1,1 KB'],
    [10 * KB, '10 KB'],
    [10 * KB - 1, '10 KB'],
    [999 * KB + 512, '999,5 KB'],
    [1023 * KB, '1.023 KB'],
    [1023 * KB + 921, '1.023,9 KB'],
    // In KB these would be rounded to 1024.
    [1023 * KB + 1000, '1 MB'],
    [MB - 1, '1 MB'],
    [MB, '1 MB'],
    [1.5 * MB, '1,5 MB'],
    [64 * MB, '64 MB'],
    [GB - 1, '1 GB'],
    [GB, '1 GB'],
    [1.25 * GB, '1,25 GB'],
    [21_474_836_480, '20 GB'],
    [1024 * GB, '1.024 GB'],
    [5 * 1024 * GB, '5.120 GB'],
  ])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  const UNITS = ['Byte', 'KB', 'MB', 'GB']
  /** Reads a German number with its unit back into bytes. */
  function read(text: string): { value: number; unit: number; bytes: number } {
    const [number = '', unit = ''] = text.split(' ')
    const value = Number(number.replaceAll('.', '').replace(',', '.'))
    return { value, unit: UNITS.indexOf(unit), bytes: value * 1024 ** UNITS.indexOf(unit) }
  }

  /** As many small sizes as large ones, often close to a border between units. */
  const size = fc.oneof(
    fc.nat(5000),
    fc.maxSafeNat(),
    fc
      .tuple(fc.integer({ min: 0, max: 49 }), fc.integer({ min: -3, max: 3 }))
      .map(([power, off]) => Math.max(2 ** power + off, 0)),
  )

  test('a nonzero size never shows as zero, nor 1024 of a unit that has a larger one', () => {
    fc.assert(
      fc.property(size, bytes => {
        const { value, unit } = read(formatBytes(bytes))
        expect(unit).toBeGreaterThanOrEqual(0)
        expect(value === 0).toBe(bytes === 0)
        if (unit < 3) expect(value).toBeLessThan(1024)
        if (unit > 0) expect(value).toBeGreaterThanOrEqual(1)
      }),
      { numRuns: 1000 },
    )
  })

  test('what it says is within half a percent of the truth', () => {
    fc.assert(
      fc.property(size, bytes =>
        expect(Math.abs(read(formatBytes(bytes)).bytes - bytes)).toBeLessThanOrEqual(bytes * 0.005),
      ),
      { numRuns: 1000 },
    )
  })

  test('more bytes never show a smaller unit or a smaller number', () => {
    fc.assert(
      fc.property(size, size, (a, b) => {
        const less = read(formatBytes(Math.min(a, b)))
        const more = read(formatBytes(Math.max(a, b)))
        expect(less.unit).toBeLessThanOrEqual(more.unit)
        expect(less.bytes).toBeLessThanOrEqual(more.bytes)
      }),
      { numRuns: 1000 },
    )
  })
})
