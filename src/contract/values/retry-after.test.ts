import { expect, test } from 'bun:test'
import { retryAfterOf } from './retry-after.ts'

const NOW = Date.parse('2026-11-18T02:00:00Z')

test.each([
  [null, null],
  ['', null],
  ['soon', null],
  ['0', 0],
  [' 7 ', 7000],
  ['Wed, 18 Nov 2026 02:01:30 GMT', 90_000],
  ['Wed, 18 Nov 2026 01:00:00 GMT', 0],
])('Retry-After: %j asks for %j milliseconds', (header, milliseconds) => {
  expect(retryAfterOf(header, NOW)).toBe(milliseconds)
})
