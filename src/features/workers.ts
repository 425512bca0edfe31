/** The processes that serve one port together (`WORKERS`), as one of them sees the others. */
import type { ServiceEvent } from '../contract/files/events.ts'
import type { StatusAnswer } from '../contract/service/status.ts'
import type { Figures } from './metrics/figures.ts'

/** An answer to `/status`, and when its checks ended. */
export interface SeenStatus {
  at: number
  answer: StatusAnswer
}

export interface Workers {
  /** How many there are, this one included: they share out the limits that protect the machine's memory. */
  readonly count: number
  /** The number of this process from 1 on, and when the whole service began; null: it is the only one. */
  readonly member: { number: number; startedAt: number } | null
  /**
   * The number of this process, counted from 1, and when the whole service began; null if there is only one
   * process.
   */
  figures(own: () => Figures): Promise<Figures>
  /** When it resolves, the others have written their counters to the database, or did not answer in time. */
  writeDown(): Promise<void>
  /** Hands an event to the event streams of the others. */
  tell(event: ServiceEvent): void
  /** Lets the other workers answer `/status` with this result too, for as long as the throttle lasts. */
  tellStatus(seen: SeenStatus): void
}

/** One process by itself. */
export const SINGLE_PROCESS: Workers = {
  count: 1,
  member: null,
  figures: async own => own(),
  async writeDown() {},
  tell() {},
  tellStatus() {},
}
