/** How one worker process (`WORKERS`) communicates with the others that serve the same port. */
import type { ServiceEvent } from '../contract/files/events.ts'
import type { StatusAnswer } from '../contract/service/status.ts'
import type { Figures } from './metrics/figures.ts'

/** An answer to `/status`, and the time at which its checks ended (Unix milliseconds). */
export interface TimedStatus {
  checkedAt: number
  answer: StatusAnswer
}

export interface Workers {
  /**
   * Number of workers, this one included: each gets an equal share of the limits that protect the memory of
   * the machine.
   */
  readonly count: number
  /**
   * The number of this process, counted from 1, and the time at which the whole service was started (Unix
   * milliseconds). Null if there is only one process.
   */
  readonly ownWorker: { number: number; startedAt: number } | null
  /**
   * Returns the sums of the figures (metrics) of all workers; rejects if they are not available. `ownFigures`
   * returns the figures of this process.
   */
  figures(ownFigures: () => Figures): Promise<Figures>
  /**
   * Asks the other workers to write to the database what they have only in memory: retrieval counts, and when
   * tokens, sessions and picture sizes were last used. Resolves when they have tried, or after a time limit.
   */
  writeDown(): Promise<void>
  /** Passes an event to the event streams of the other workers. */
  passEvent(event: ServiceEvent): void
  /**
   * Passes the result of a status check to the other workers. They answer `/status` with it until the next
   * check is due.
   */
  shareStatus(status: TimedStatus): void
}

/** The implementation for a service with a single process. */
export const SINGLE_PROCESS: Workers = {
  count: 1,
  ownWorker: null,
  figures: async ownFigures => ownFigures(),
  async writeDown() {},
  passEvent() {},
  shareStatus() {},
}
