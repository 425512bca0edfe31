/** Runs jobs at intervals: none twice at once, a failed one is logged and comes again. */
import type { Log } from '../log.ts'

export interface Job {
  name: string
  /** Milliseconds between the end of one run and the start of the next. */
  every: number
  /** Also once right away, for what an earlier process left to do. */
  atStart?: boolean
  run(): Promise<unknown>
}

export interface Scheduler {
  /** No run starts any more; resolves when running ones have ended. */
  stop(): Promise<void>
}

export function startJobs(jobs: readonly Job[], log: Log): Scheduler {
  const timers = new Map<string, Timer>()
  const running = new Set<Promise<void>>()
  let stopped = false

  function plan(job: Job): void {
    if (stopped) return
    timers.set(
      job.name,
      setTimeout(() => start(job), job.every),
    )
  }

  function start(job: Job): void {
    const run = job
      .run()
      .catch(error => log.error('a job failed', { job: job.name, cause: error }))
      .then(() => {
        running.delete(run)
        plan(job)
      })
    running.add(run)
  }

  for (const job of jobs) {
    if (job.atStart) start(job)
    else plan(job)
  }
  return {
    async stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
