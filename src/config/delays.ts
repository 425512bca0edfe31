import { RECORD_WITHIN } from '../storage/object-age.ts'

/** The waiting times of the running service, in one place so that tests can shorten them. */
export interface Delays {
  /** Milliseconds before a discarded object is deleted: a reader may have just read its row. */
  discard: number
  /** Maximum milliseconds between writing an object and its row: later, the sweep may remove it. */
  record: number
  /** Milliseconds between two checks for changes that the event streams report. */
  look: number
  /** Milliseconds between two heartbeats on an event stream: less than the idle timeouts of proxies. */
  heartbeat: number
  /** Milliseconds between two checks for due messages; each reads two tables that are nearly always empty. */
  delivery: number
}

export const DELAYS: Delays = {
  discard: 3_000,
  record: RECORD_WITHIN,
  look: 1_000,
  heartbeat: 20_000,
  delivery: 1_000,
}
