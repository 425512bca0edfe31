/** What a job is. Features declare theirs in `feature.ts`; `app.ts` collects them. */
import type { LeaseName } from './coordination.ts'

/** Milliseconds between two writes of counters in memory. A crash loses at most this much. */
export const WRITE_DOWN_EVERY = 30_000

interface AnyJob {
  name: string
  /**
   * The lease held while the job runs, so that it runs in one process at a time; otherwise the run is
   * skipped. A job without a lease runs in every process, such as writing its own counters. `run` must not
   * request the same lease again: it would find it taken.
   */
  lease?: LeaseName
  /** `signal` aborts when the service stops or the lease was lost; the next run does the rest. */
  run(signal: AbortSignal): Promise<unknown>
}

interface IntervalJob extends AnyJob {
  /** Milliseconds between the end of one run and the start of the next. */
  every: number
  /** Whether the job also runs once at startup, for work that an earlier process left undone. */
  atStart?: boolean
}

export interface DailyJob extends AnyJob {
  /** For example `03:30`, local time. Called at every check, so that a changed setting applies at once. */
  dailyAt(): string
  /** When the job last began, in any process; null: never. */
  lastRun(): Promise<number | null>
}

export type Job = IntervalJob | DailyJob

/** The run did what it could and has logged the rest: it counts as failed, without another log line. */
export class IncompleteRun extends Error {}

/** The results of a job's runs in this process. */
export interface JobOutcome {
  name: string
  succeeded: number
  failed: number
  skipped: number
  /** The last run that was not skipped; null before the first one. Times are Unix milliseconds. */
  last: { ok: boolean; endedAt: number; milliseconds: number } | null
  lastSuccessAt: number | null
}
