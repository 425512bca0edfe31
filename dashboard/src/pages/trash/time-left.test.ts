import { expect, test } from 'bun:test'
import { timeLeft } from './time-left.ts'

const DAY = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 15, 12)

test.each([
  ['just deleted', 30 * DAY, 30, 1, false],
  ['by a clock that is ahead', 31 * DAY, 30, 1, false],
  ['after an hour', 30 * DAY - 3600_000, 30, 1 - 1 / 720, false],
  ['half of it', 15 * DAY, 15, 0.5, false],
  ['four days', 4 * DAY, 4, 4 / 30, false],
  ['three days', 3 * DAY, 3, 0.1, true],
  ['the last minute', 60_000, 1, 60_000 / (30 * DAY), true],
  ['over, and not yet cleared away', -DAY, 0, 0, true],
])('%s', (_, left, days, share, urgent) => {
  const found = timeLeft(NOW + left, NOW, 30)
  expect(found).toMatchObject({ days, isUrgent: urgent })
  expect(found.remainingShare).toBeCloseTo(share, 10)
})
