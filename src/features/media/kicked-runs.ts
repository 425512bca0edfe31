/** Runs of one piece of work, one after the other in this process, soon after a request for one. */

import type { Log } from '../../base/log.ts'
import { IncompleteRun } from '../../jobs/job.ts'

export type KickedRuns = ReturnType<typeof createKickedRuns>

export interface KickedRunsParts {
  /** `signal` aborts when the runs are stopped. */
  work: (signal: AbortSignal) => Promise<number>
  /** Milliseconds from a kick to its run; later kicks join the same run. */
  delay: number
  /** The log line for a failed run. */
  failed: string
  log: Log
}

export function createKickedRuns({ work, delay, failed, log }: KickedRunsParts) {
  const stopped = new AbortController()
  let timer: Timer | undefined
  let kickedAgain = false
  let running: Promise<unknown> = Promise.resolve()

  /** Runs the work after the current run; resolves with its result, or rejects with `IncompleteRun`. */
  function run(): Promise<number> {
    const next = running.then(() => work(stopped.signal))
    running = next.catch(error => {
      if (!(error instanceof IncompleteRun)) log.error(failed, { cause: error })
    })
    return next
  }

  /**
   * Called when there is more to do: a run begins at least `delay` later. A kick while the timer runs may be
   * about work that is due after that run, so another run follows.
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
    /** Starts no further run; resolves when the current one has ended. */
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await running
    },
  }
}
