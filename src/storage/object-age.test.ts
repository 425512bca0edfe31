import { expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../contract/values/units.ts'
import { isTooOldToRecord } from './object-age.ts'

const WRITTEN = 1_000 * HOUR

test.each([
  ['is recorded at once', 0, false],
  ['is recorded half an hour later, the last moment', 30 * MINUTE, false],
  ['is refused a moment later: the sweep may come before the row', 30 * MINUTE + 1, true],
  ['is refused by a clock that was set back: its age is unknown', -30 * MINUTE - 1, true],
  ['is recorded by a clock that was corrected a little', -MINUTE, false],
])('an object %s', (_, later, tooOld) => {
  expect(isTooOldToRecord(WRITTEN, WRITTEN + later)).toBe(tooOld)
})
