/** The processes that serve one port together (`WORKERS`), as one of them sees the others. */
import type { ServiceEvent } from '../contract/files/events.ts'
import type { StatusAnswer } from '../contract/service/status.ts'
import type { Figures } from './metrics/figures.ts'

/** An answer to `/status`, and the time at which its checks ended. */
export interface TimedStatus {
  at: number
  answer: StatusAnswer
}

export interface Workers {
  /**
   * Number of workers, this one included: each gets an equal share of the limits that protect the memory of
   * the machine.
   */
  readonly count: number
  /**
   * The number of this process, counted from 1, and when the whole service began; null if there is only one
   * process.
   */
  readonly member: { number: number; startedAt: number } | null
  /**
   * The sum of the figures of all workers; rejects if they are not available. `ownFigures` returns the
   * figures of this process.
   */
  figures(ownFigures: () => Figures): Promise<Figures>
  /**
   * Asks the other workers to write their counters to the database. When it resolves, they have written their
   * counters to the database, or did not answer in time.
   */
  writeDown(): Promise<void>
  /** Passes an event to the event streams of the other workers. */
  passEvent(event: ServiceEvent): void
  /** Passes this result to the other workers, which answer `/status` with it until the next check is due. */
  shareStatus(status: TimedStatus): void
}

/** The workers of a service with a single process. */
export const SINGLE_PROCESS: Workers = {
  count: 1,
  member: null,
  figures: async ownFigures => ownFigures(),
  async writeDown() {},
  passEvent() {},
  shareStatus() {},
}
