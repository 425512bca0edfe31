/** The request counters of one process. They contain no path, token or user. */
import { REQUEST_SCOPES, type RequestMetrics, type RequestScope } from '../../http/observe-requests.ts'
import { createHistogram, type Histogram } from './histogram.ts'

/**
 * Number of requests for stored content (files, previews or sizes of pictures) by outcome, with their bytes
 * and durations.
 */
export type ContentTally = ReturnType<typeof createContentTally>

interface ScopeTally {
  /** Number of answers by the first digit of the status: 2 for 200 to 299. */
  readonly statuses: Map<number, number>
  readonly durations: Histogram
  /** Bytes of request bodies, as announced. */
  receivedBytes: number
}

export interface Tally extends RequestMetrics {
  readonly files: ContentTally
  readonly previews: ContentTally
  readonly sizes: ContentTally
  readonly scopes: ReadonlyMap<RequestScope, ScopeTally>
}

/**
 * Plain numbers, because counting an answer from memory must cost almost nothing: one or two additions and no
 * timing. Reading the clock twice would take longer than the answer.
 */
const createContentTally = () => ({
  memory: 0,
  memoryNotModified: 0,
  whole: 0,
  part: 0,
  notModified: 0,
  head: 0,
  refused: 0,
  failed: 0,
  bytes: 0,
  /** Durations of answers that were not prepared in memory. */
  durations: createHistogram(),
})

export function createTally(): Tally {
  const scopes = new Map<RequestScope, ScopeTally>(
    REQUEST_SCOPES.map(scope => [
      scope,
      { statuses: new Map(), durations: createHistogram(), receivedBytes: 0 },
    ]),
  )
  return {
    files: createContentTally(),
    previews: createContentTally(),
    sizes: createContentTally(),
    scopes,
    recordAnswer(scope, { status, durationMs, receivedBytes }) {
      const tally = scopes.get(scope)!
      const statusClass = Math.floor(status / 100)
      tally.statuses.set(statusClass, (tally.statuses.get(statusClass) ?? 0) + 1)
      tally.durations.observe(durationMs / 1000)
      tally.receivedBytes += receivedBytes
    },
  }
}
