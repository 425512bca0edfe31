/**
 * Age limits of an object that has no row yet. The sweep (`features/integrity/sweep.ts`) removes an object
 * without a row at `SWEEP_AGE`, so the row must be written well before. Otherwise a process that was
 * suspended between storing an object and writing its row could write a row for an object that was already
 * removed, and discard the object that the new one replaces.
 */
import { HOUR } from '../contract/values/units.ts'

/** Milliseconds after which the sweep removes an object without a row. */
export const SWEEP_AGE = HOUR

/**
 * Maximum age in milliseconds at which a row may still be written for an object: half of `SWEEP_AGE`, because
 * clocks may differ by 15 minutes.
 */
export const MAX_RECORD_AGE = SWEEP_AGE / 2

/**
 * Whether the bytes of an object were written too long ago for its row to be written now. Times are Unix
 * milliseconds. True also if `writtenAt` is far in the future, because then a clock has jumped.
 */
export const isTooOldToRecord = (writtenAt: number, now: number, maxAge = MAX_RECORD_AGE) =>
  Math.abs(now - writtenAt) > maxAge
