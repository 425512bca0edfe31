/** The interface of a job. Features declare their jobs in `feature.ts`; `app.ts` collects them. */
import type { LeaseName } from './coordination.ts'

/**
 * Milliseconds between two writes of counters that are only in memory. A crash loses at most the counts of
 * this time.
 */
export const WRITE_DOWN_EVERY = 30_000

interface AnyJob {
  name: string
  /**
   * The lease that is held while the job runs, so that it runs in one process at a time; if another process
   * holds it, the run is skipped. A job without a lease, such as one that writes the process's own counters,
   * runs in every process. `run` must not request the same lease again, because it would not get it.
   */
  lease?: LeaseName
  /**
   * Does the work. `signal` is aborted when the service stops or the lease is lost; the next run does the
   * rest.
   */
  run(signal: AbortSignal): Promise<unknown>
}

interface IntervalJob extends AnyJob {
  /** Milliseconds between the end of one run and the start of the next. */
  every: number
  /** Whether the job also runs once at startup, for work that an earlier process left undone. */
  atStart?: boolean
}

export interface DailyJob extends AnyJob {
  /**
   * The time of day, such as `03:30`, local time. Called at every check, so that a changed setting applies at
   * once.
   */
  dailyAt(): string
  /** When the job last began, in any process; null: never. */
  lastRun(): Promise<number | null>
}

export type Job = IntervalJob | DailyJob

/**
 * Thrown by a run that did what it could and has logged what it could not do. The run counts as failed
 * without another log line.
 */
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
