import { RECORD_WITHIN } from '../storage/object-age.ts'

/** The waiting times of the running service, in one place so that tests can shorten them. */
export const DELAYS = {
  /** Milliseconds before a discarded object is deleted, because a reader may have just read its row. */
  discard: 3_000,
  /**
   * Maximum milliseconds between writing an object and writing its row. After that the sweep may remove the
   * object.
   */
  record: RECORD_WITHIN,
  /** Milliseconds between two checks for changes that the event streams report. */
  changeCheck: 1_000,
  /**
   * Milliseconds between two heartbeats on an event stream. This is less than the idle timeouts of proxies.
   */
  heartbeat: 20_000,
  /**
   * Milliseconds between two checks for due messages. A check reads two tables that are nearly always empty.
   */
  delivery: 1_000,
  /** Milliseconds between two renewals of the hold on a resumable upload while a request adds to it. */
  hold: 2_000,
}

export type Delays = typeof DELAYS
