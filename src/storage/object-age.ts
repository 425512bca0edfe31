/**
 * How old an object without a row may be. The sweep removes older objects, so a row for one may no longer be
 * written: a process that was suspended in between would record an object that is gone, and discard the
 * object that it replaces.
 */
import { HOUR } from '../contract/values/units.ts'

/** Milliseconds after which the sweep removes an object without a row. */
export const SWEEP_AGE = HOUR

/** Milliseconds within which a row is written, half of `SWEEP_AGE`: the clocks may differ by 15 minutes. */
export const RECORD_WITHIN = SWEEP_AGE / 2

/**
 * Whether too much time has passed since the bytes of an object were written to write its row now; both times
 * in Unix milliseconds. A time in the future counts too, because then a clock has jumped.
 */
export const isTooOldToRecord = (writtenAt: number, at: number, within = RECORD_WITHIN) =>
  Math.abs(at - writtenAt) > within
