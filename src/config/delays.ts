import { MAX_RECORD_AGE } from '../storage/object-age.ts'

/** The waiting times of the running service, in one place so that tests can shorten them. */
export const DELAYS = {
  /**
   * Minimum milliseconds before a discarded object is deleted: a request that has just read the object's row
   * may still send the object.
   */
  objectDeletion: 3_000,
  /**
   * Milliseconds after writing an object within which its database row must be written. After that, the
   * clean-up of orphaned objects (those without a row) may remove the object.
   */
  recordTimeLimit: MAX_RECORD_AGE,
  /**
   * Milliseconds between two checks for changes in the database, which are then sent to open dashboards
   * (event streams).
   */
  changeCheck: 1_000,
  /** Milliseconds between two heartbeats on an event stream: less than the usual idle timeouts of proxies. */
  heartbeat: 20_000,
  /**
   * Milliseconds between two checks for due messages to the chat webhook. A check reads two tables that are
   * nearly always empty.
   */
  messageCheck: 1_000,
  /** Milliseconds between two renewals of the lock on a resumable upload while a request adds bytes to it. */
  uploadLockRenewal: 2_000,
}

export type Delays = typeof DELAYS
