import { expect, test } from 'bun:test'
import { daysAgo, groupByDay } from './days.ts'

const at = (day: number, hour: number) => new Date(2026, 9, day, hour).getTime()

test('entries of one day stand together, in their order', () => {
  const entries = [at(25, 23), at(25, 0), at(24, 23), at(22, 12)].map(zeit => ({ zeit }))
  expect(groupByDay(entries).map(day => day.entries.length)).toEqual([2, 1, 1])
  expect(groupByDay([])).toEqual([])
})

test.each([
  [at(25, 0), at(25, 23), 0],
  [at(24, 23), at(25, 0), 1],
  // Daylight saving time ends in between: 25 hours.
  [at(25, 0), at(26, 0), 1],
  [at(1, 12), at(31, 1), 30],
])('%d seen from %d', (then, now, days) => expect(daysAgo(then, now)).toBe(days))
