import { expect, test } from 'bun:test'
import { demandedPause, pauseAfter } from './pauses.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 0, 1)

test.each<[string | null, string, number]>([
  [null, '', 0],
  ['0', '', 0],
  ['7', '', 7000],
  [' 7 ', '', 7000],
  ['soon', '', 0],
  ['-5', '', 0],
  ['99999999', '', HOUR],
  [new Date(NOW + 60_000).toUTCString(), '', 60_000],
  [new Date(NOW - 60_000).toUTCString(), '', 0],
  [null, '{"retry_after": 0.35}', 350],
  ['1', '{"message": "rate limited", "retry_after": 64.57}', 64_570],
  ['3', '{"retry_after": "9"}', 3000],
  ['3', 'not json', 3000],
  ['3', 'null', 3000],
  [null, '{"retry_after": 1e12}', HOUR],
  [null, '{"retry_after": -1}', 0],
])('Retry-After %p, body %p: %i ms', (header, body, pause) => {
  expect(demandedPause(header, body, NOW)).toBe(pause)
})

test('pauses grow to an hour; a longer demand counts, a shorter one does not', () => {
  expect([1, 2, 3, 4, 5, 6, 99].map(failures => pauseAfter(failures, 0))).toEqual([
    5000,
    30_000,
    120_000,
    600_000,
    HOUR,
    HOUR,
    HOUR,
  ])
  expect([pauseAfter(1, 60_000), pauseAfter(3, 60_000)]).toEqual([60_000, 120_000])
})
