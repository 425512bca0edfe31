/**
 * Runs work on request (a kick), after a delay. Within this process, runs follow one another and never
 * overlap.
 */

import type { Log } from '../../base/log.ts'
import { IncompleteRunError } from '../../jobs/job.ts'

export type KickedRuns = ReturnType<typeof createKickedRuns>

export interface KickedRunsParts {
  /** The work; resolves with the number of processed items. `signal` aborts when the runs are stopped. */
  task: (signal: AbortSignal) => Promise<number>
  /** Milliseconds from a kick to the run that it starts. */
  delay: number
  /** The log line for a failed run. */
  failureText: string
  log: Log
}

export function createKickedRuns({ task, delay, failureText, log }: KickedRunsParts) {
  const stopController = new AbortController()
  let timer: Timer | undefined
  let isKickedAgain = false
  let currentRun: Promise<unknown> = Promise.resolve()

  /** Runs the work after all earlier runs have ended. Resolves or rejects as the work does. */
  function run(): Promise<number> {
    const nextRun = currentRun.then(() => task(stopController.signal))
    currentRun = nextRun.catch(error => {
      if (!(error instanceof IncompleteRunError)) log.error(failureText, { cause: error })
    })
    return nextRun
  }

  /**
   * Called when there is more to do: a run begins at least `delay` later. A kick while the timer runs may be
   * about work that is due after that run, so another run follows.
   */
  function kick(): void {
    isKickedAgain = timer !== undefined
    if (timer || stopController.signal.aborted) return
    timer = setTimeout(() => {
      timer = undefined
      run().catch(() => {})
      if (isKickedAgain) kick()
    }, delay)
  }

  return {
    run,
    kick,
    /** Aborts the signal of the work and ignores later kicks; resolves when the current run has ended. */
    async stop() {
      stopController.abort()
      clearTimeout(timer)
      await currentRun
    },
  }
}
