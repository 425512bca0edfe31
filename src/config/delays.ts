import { RECORD_WITHIN } from '../storage/object-age.ts'

/** The waiting times of the running service in milliseconds, in one place so that tests can shorten them. */
export interface Delays {
  /**
   * Between discarding an object and deleting it: a reader that has just read its row must still find the
   * object.
   */
  discard: number
  /**
   * The longest time between writing an object and its row. After it, the sweep may take the object for an
   * orphan.
   */
  record: number
  /** Between two checks for changes that the event streams report. */
  look: number
  /**
   * Between two heartbeats on an event stream: shorter than the idle timeouts of proxies and of this server.
   */
  heartbeat: number
  /** Between two checks for due messages; each check reads two tables that are nearly always empty. */
  delivery: number
}

export const DELAYS: Delays = {
  discard: 3_000,
  record: RECORD_WITHIN,
  look: 1_000,
  heartbeat: 20_000,
  delivery: 1_000,
}
