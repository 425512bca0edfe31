/**
 * How old an object without a row may be. The sweep removes older ones, so their rows may no longer be
 * written: a process suspended in between would record an object that is gone, and discard the one that it
 * replaces.
 */
import { HOUR } from '../contract/values/units.ts'

export const SWEEP_AGE = HOUR

/** Milliseconds within which a row is written, half of `SWEEP_AGE`: the clocks may differ by 15 minutes. */
export const RECORD_WITHIN = SWEEP_AGE / 2

/**
 * Files below a prefix of a bucket, streamed, that may be replaced. Unlike objects of the library
 * (`objects.ts`), their bytes and hashes are not known beforehand, so the writer reads each one back.
 */
export const isTooOldToRecord = (writtenAt: number, at: number, within = RECORD_WITHIN) =>
  Math.abs(at - writtenAt) > within
