import { expect, test } from 'bun:test'
import { lastDays, localDay, localTime } from './local-time.ts'

const at = new Date(2026, 0, 2, 3, 4, 5).getTime()

test('a day and a time are local', () => {
  expect([localDay(at), localTime(at)]).toEqual(['2026-01-02', '2026-01-02 03:04:05'])
})

test('the last days, over the turn of a month and of a year', () => {
  expect(lastDays(at, 4)).toEqual(['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'])
})

test('no day twice and none left out, whatever the hour and the clocks', () => {
  for (let hour = 0; hour < 24 * 366; hour += 5) {
    const days = lastDays(new Date(2026, 0, 1, hour).getTime(), 30)
    expect(new Set(days).size).toBe(30)
    expect(days.at(-1)).toBe(localDay(new Date(2026, 0, 1, hour).getTime()))
  }
})
