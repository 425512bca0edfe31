import { expect, test } from 'bun:test'
import { formatDuration } from './length.ts'

test.each([
  [0, '0:01'],
  [0.2, '0:01'],
  [7, '0:07'],
  [59.6, '1:00'],
  [62, '1:02'],
  [3599, '59:59'],
  [3600, '1:00:00'],
  [3723, '1:02:03'],
  [36_000, '10:00:00'],
])('%d seconds are %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text))
