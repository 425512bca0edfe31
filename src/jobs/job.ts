/** What a job is. Features declare theirs in `feature.ts`; `app.ts` collects them. */
import type { Task } from '../coordination/coordination.ts'

/** Milliseconds between two times that what only memory holds is written down: so much a crash may cost. */
export const WRITE_DOWN_EVERY = 30_000

interface AnyJob {
  name: string
  /**
   * Held while it runs, so that it runs in one process at a time; where somebody else holds it, the run is left out.
   * Without one every process has its own to do, such as writing down what only its memory holds. `run` must not ask for
   * the same task again: it would find it taken.
   */
  task?: Task
  /** `signal` aborts when the service stops, and when the task was lost in the middle: leave the rest to the next run. */
  run(signal: AbortSignal): Promise<unknown>
}

export interface IntervalJob extends AnyJob {
  /** Milliseconds between the end of one run and the start of the next. */
  every: number
  /** Also once right away, for what an earlier process left to do. */
  atStart?: boolean
}

export interface DailyJob extends AnyJob {
  /** `03:30`, local time; asked at every look, so a changed setting counts at once. */
  dailyAt(): string
  /** When it last began, in whichever process; null: never. */
  lastRun(): Promise<number | null>
}

export type Job = IntervalJob | DailyJob

/** How a job has fared in this process. */
export interface JobOutcome {
  name: string
  succeeded: number
  failed: number
  /** Left out because its task was held. */
  skipped: number
  /** Of the last run that was not left out; null before it. Times are Unix milliseconds. */
  last: { ok: boolean; endedAt: number; milliseconds: number } | null
  lastSuccessAt: number | null
}
