import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { endOfDay, lastValidDay, validityOf } from './validity.ts'

describe('a typed day', () => {
  test('holds to its end', () => {
    expect(endOfDay('2026-12-31')).toBe(new Date(2027, 0, 1).getTime())
  })

  test.each(['', '2026', '31.12.2026', '2026-02-31', '2026-13-01', '2026-00-10', 'morgen'])(
    '%j is none',
    day => expect(endOfDay(day)).toBeUndefined(),
  )

  test('comes back as it was typed', () => {
    const days = fc.date({ min: new Date(2000, 0, 2), max: new Date(9999, 0, 1), noInvalidDate: true })
    fc.assert(
      fc.property(days, day => {
        const typed = lastValidDay(day.getTime())
        expect(lastValidDay(endOfDay(typed)!)).toBe(typed)
      }),
    )
  })

  test('a moment within a day belongs to that day, midnight to the one before', () => {
    expect(lastValidDay(new Date(2026, 4, 5, 12).getTime())).toBe('2026-05-05')
    expect(lastValidDay(new Date(2026, 4, 5).getTime())).toBe('2026-05-04')
  })
})

const NOW = Date.UTC(2026, 10, 15)
const HOUR = 3600_000
test.each([
  [null, 'unlimited'],
  [NOW, 'expired'],
  [NOW - 1, 'expired'],
  [NOW + 1, 'ending'],
  [NOW + 7 * 24 * HOUR - 1, 'ending'],
  [NOW + 7 * 24 * HOUR, 'valid'],
] as const)('valid until %p: %s', (until, said) => expect(validityOf(until, NOW)).toBe(said))
