import { expect, test } from 'bun:test'
import {
  archiveTargetsText,
  CHECK_REASONS,
  HEALTH_CHECKS,
  HEALTH_STATES,
  healthStateOf,
  targetCountInWords,
} from './status.ts'

test.each([
  [0, 'an keinem Ort'],
  [1, 'nur an einem Ort'],
  [2, 'an zwei Orten'],
  [3, 'an drei Orten'],
  [12, 'an zwölf Orten'],
  [13, 'an vielen Orten'],
  [1000, 'an vielen Orten'],
])('%i places: %s', (places, words) => {
  expect(targetCountInWords(places)).toBe(words)
})

test('no reason, no word of it holds a digit', () => {
  const places = Array.from({ length: 50 }, (_, count) => archiveTargetsText(count))
  for (const text of [...Object.values(CHECK_REASONS), ...places, ...HEALTH_CHECKS, ...HEALTH_STATES])
    expect(text).not.toMatch(/\d/)
})

test('every combination of failing checks: a core one disturbs, another one impairs', () => {
  for (let mask = 0; mask < 64; mask++) {
    const checks = HEALTH_CHECKS.map((was, at) => ({ was, ok: (mask & (1 << at)) === 0 }))
    const core = mask & 0b001111
    const other = mask & 0b110000
    expect(healthStateOf(checks)).toBe(core ? 'gestoert' : other ? 'beeintraechtigt' : 'gesund')
  }
})
