/** What a job is. Features declare theirs in `feature.ts`; `app.ts` collects them. */
import type { Task } from './coordination.ts'

/**
 * Milliseconds between two writes of counters that are only in memory. A crash loses at most this much time.
 */
export const WRITE_DOWN_EVERY = 30_000

interface AnyJob {
  name: string
  /**
   * The task that is held while the job runs, so that the job runs in one process at a time. If another
   * process holds the task, the run is skipped. A job without a task runs in every process, such as writing
   * down counters that are only in that process's memory. `run` must not request the same task again, because
   * it would find the task taken.
   */
  task?: Task
  /**
   * `signal` aborts when the service stops or the task was lost during the run; the next run then does the
   * rest.
   */
  run(signal: AbortSignal): Promise<unknown>
}

interface IntervalJob extends AnyJob {
  /** Milliseconds between the end of one run and the start of the next. */
  every: number
  /** Also run once at the start, for work that an earlier process left undone. */
  atStart?: boolean
}

export interface DailyJob extends AnyJob {
  /**
   * For example `03:30`, local time. Called at every check, so that a changed setting takes effect at once.
   */
  dailyAt(): string
  /** When the job last began, in any process; null: never. */
  lastRun(): Promise<number | null>
}

export type Job = IntervalJob | DailyJob

/**
 * The run did what it could and has logged what it could not do: it counts as failed, without a further line
 * in the log.
 */
export class IncompleteRun extends Error {}

/** The results of a job's runs in this process. */
export interface JobOutcome {
  name: string
  succeeded: number
  failed: number
  /** Runs that were skipped because another process held the task. */
  skipped: number
  /** The last run that was not skipped; null before the first one. Times are Unix milliseconds. */
  last: { ok: boolean; endedAt: number; milliseconds: number } | null
  lastSuccessAt: number | null
}
