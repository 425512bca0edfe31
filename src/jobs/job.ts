/**
 * The interface of a background job, which runs at intervals or daily. Features declare their jobs in
 * `feature.ts`; `app.ts` collects them.
 */
import type { LeaseName } from './coordination.ts'

/**
 * Milliseconds between two writes of values that are kept in memory, such as counters and times of last use.
 * A crash loses at most the changes since the last write.
 */
export const COUNTER_WRITE_INTERVAL = 30_000

interface BaseJob {
  name: string
  /**
   * The lease that is held while the job runs, so that it runs in one process at a time; if the lease is
   * already held, the run is skipped. A job without a lease, such as one that writes the process's own
   * counters, runs in every process. `run` must not request the same lease again, because that request would
   * be refused.
   */
  lease?: LeaseName
  /**
   * Does the work. `signal` is aborted when the service stops or the lease is lost; the next run then
   * continues the work.
   */
  run(signal: AbortSignal): Promise<unknown>
}

interface IntervalJob extends BaseJob {
  /** Milliseconds between the end of one run and the start of the next. */
  interval: number
  /** Whether the job also runs once at startup, for work that an earlier process left undone. */
  atStart?: boolean
}

export interface DailyJob extends BaseJob {
  /**
   * The time of day, such as `03:30`, local time. Called at every check, so that a changed setting applies
   * immediately.
   */
  dailyAt(): string
  /** When the job last began, in any process (Unix milliseconds); null: never. */
  lastRun(): Promise<number | null>
}

export type Job = IntervalJob | DailyJob

/**
 * Thrown by a job that has done a part of its work and has already logged why it could not do the rest. The
 * run counts as failed, without another log line.
 */
export class IncompleteRunError extends Error {}

/** The results of a job's runs in this process. */
export interface JobStatistics {
  name: string
  succeeded: number
  failed: number
  skipped: number
  /**
   * The last run that was not skipped; null before the first one. `endedAt` and `lastSuccessAt` are Unix
   * milliseconds, `milliseconds` is the duration.
   */
  lastRun: { ok: boolean; endedAt: number; milliseconds: number } | null
  lastSuccessAt: number | null
}
