import { RECORD_WITHIN } from '../storage/object-age.ts'

/**
 * The waiting times of the running service, in milliseconds. They stand in one place so that tests can shorten them.
 */
export interface Delays {
  /** Between discarding an object and removing it: a reader that has just read its row must still find the object. */
  discard: number
  /** Between writing an object and its row, at most: the sweep may have taken the object for one without a row. */
  record: number
  /** Between two checks for changes that the event streams report. */
  look: number
  /** Between two heartbeats on an event stream: shorter than the idle timeout of proxies and of the server itself. */
  heartbeat: number
  /** Between two checks for due messages; each check is two reads of tables that are nearly always empty. */
  delivery: number
}

export const DELAYS: Delays = {
  discard: 3_000,
  record: RECORD_WITHIN,
  look: 1_000,
  heartbeat: 20_000,
  delivery: 1_000,
}
