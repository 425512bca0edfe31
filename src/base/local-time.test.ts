import { expect, test } from 'bun:test'
import { useTimeZone } from '../../test/support/time-zone.ts'
import { lastDays, localDay, localTime } from './local-time.ts'

useTimeZone('Europe/Berlin')

const at = Date.parse('2026-01-02T03:04:05+01:00')

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

test('the hour that comes twice belongs to its day, both times', () => {
  const passes = ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00'].map(Date.parse)
  expect(passes.map(localTime)).toEqual(['2026-10-25 02:30:00', '2026-10-25 02:30:00'])
  for (const pass of passes) expect(lastDays(pass, 3)).toEqual(['2026-10-23', '2026-10-24', '2026-10-25'])
})
