/**
 * Runs of one piece of work that follow one another in this process, and start soon after they were asked
 * for.
 */

import type { Log } from '../../base/log.ts'
import { IncompleteRun } from '../../jobs/job.ts'

export interface KickedRuns {
  /**
   * Runs the work after the run that is under way; answers what the work answers, or rejects with
   * `IncompleteRun`.
   */
  run(): Promise<number>
  /** Call after there is more to do: a run begins at least `delay` later. */
  kick(): void
  /** Starts no further run by itself; resolves when the present run has ended. */
  stop(): Promise<void>
}

export interface KickedRunsParts {
  /** The signal aborts when the runs are stopped. */
  work: (signal: AbortSignal) => Promise<number>
  /** Milliseconds from a kick to its run; what is done meanwhile joins the same run. */
  delay: number
  /** The line in the log for a run that failed. */
  failed: string
  log: Log
}

export function createKickedRuns({ work, delay, failed, log }: KickedRunsParts): KickedRuns {
  const stopped = new AbortController()
  let timer: Timer | undefined
  let kickedAgain = false
  let running: Promise<unknown> = Promise.resolve()

  function run(): Promise<number> {
    const next = running.then(() => work(stopped.signal))
    running = next.catch(error => {
      if (!(error instanceof IncompleteRun)) log.error(failed, { cause: error })
    })
    return next
  }

  /**
   * A kick while the timer runs may be about work that is due only after the timer, so another run follows.
   */
  function kick(): void {
    kickedAgain = timer !== undefined
    if (timer || stopped.signal.aborted) return
    timer = setTimeout(() => {
      timer = undefined
      run().catch(() => {})
      if (kickedAgain) kick()
    }, delay)
  }

  return {
    run,
    kick,
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await running
    },
  }
}
