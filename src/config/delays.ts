import { MAX_RECORD_AGE } from '../storage/object-age.ts'

/** The waiting times of the running service, in one place so that tests can shorten them. */
export const DELAYS = {
  /**
   * Milliseconds before a discarded object is deleted: a request that has just read the object's row may
   * still send the object.
   */
  discard: 3_000,
  /**
   * Milliseconds after writing an object within which its row must be written. After that, the clean-up of
   * orphaned objects may remove it.
   */
  record: MAX_RECORD_AGE,
  /** Milliseconds between two checks for changes, which are then sent to the event streams. */
  changeCheck: 1_000,
  /**
   * Milliseconds between two heartbeats on an event stream. This is less than the idle timeouts of proxies.
   */
  heartbeat: 20_000,
  /**
   * Milliseconds between two checks for due messages to the chat webhook. A check reads two tables that are
   * nearly always empty.
   */
  delivery: 1_000,
  /** Milliseconds between two renewals of the lock on a resumable upload while a request adds bytes to it. */
  hold: 2_000,
}

export type Delays = typeof DELAYS
