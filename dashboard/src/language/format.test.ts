import { expect, test } from 'bun:test'
import { createFormat } from './format.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const MINUTE = 60_000

test.each([
  [0, 'gerade eben', 'just now'],
  [-59_000, 'gerade eben', 'just now'],
  // A time slightly in the future is not shown as past.
  [30_000, 'jetzt', 'now'],
  [-MINUTE, 'vor 1 Minute', '1 minute ago'],
  [-3 * 60 * MINUTE, 'vor 3 Stunden', '3 hours ago'],
  [-24 * 60 * MINUTE, 'gestern', 'yesterday'],
  [5 * 24 * 60 * MINUTE, 'in 5 Tagen', 'in 5 days'],
])('%d milliseconds from now: %s, %s', (distance, german, english) => {
  expect(createFormat('de').relative(NOW + distance, NOW)).toBe(german)
  expect(createFormat('en').relative(NOW + distance, NOW)).toBe(english)
})

test('dimensions have one form in both languages', () => {
  for (const language of ['de', 'en'] as const)
    expect(createFormat(language).dimensions(1920, 1080)).toBe('1920 × 1080 px')
})
