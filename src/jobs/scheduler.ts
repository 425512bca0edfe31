/**
 * Runs jobs at intervals or daily. A job never runs twice at the same time in this process; a job with a
 * lease does not run in another process meanwhile either. A failed run is logged, and the job runs again at
 * its next time.
 */

import type { Log } from '../base/log.ts'
import { withTimeout } from '../base/time-limit.ts'
import { type Database, DatabaseBusyError } from '../database/database.ts'
import type { Coordination } from './coordination.ts'
import { isDue } from './daily.ts'
import { type DailyJob, IncompleteRun, type Job, type JobOutcome } from './job.ts'

/** Milliseconds between two checks of the clock for daily jobs. */
const CHECK_INTERVAL = 20_000

/**
 * Milliseconds until the next attempt if another process holds the lease. If that process has died, its lease
 * has expired by then.
 */
const HELD_PAUSE = 35_000

/**
 * Milliseconds within which running jobs must end at shutdown. A job that reads the whole store may not
 * notice the stop in time; killing it does no more harm than a crash.
 */
const STOP_PATIENCE = 8_000

interface SchedulerParts {
  jobs: readonly Job[]
  coordination: Pick<Coordination, 'exclusively'>
  /** `currentState` is called before each run, so that the job uses the current settings. */
  database: Pick<Database, 'currentState'>
  log: Log
  now: () => number
  lookEvery?: number
  stopPatience?: number
}

export function startJobs(parts: SchedulerParts) {
  const { jobs, log, lookEvery = CHECK_INTERVAL, stopPatience = STOP_PATIENCE } = parts
  const stopping = new AbortController()
  const timers = new Map<Job, Timer>()
  const running = new Map<Job, Promise<void>>()
  const runners = new Map(jobs.map(job => [job, createRunner(job, parts, stopping.signal)]))

  function plan(job: Job, pause: number): void {
    if (stopping.signal.aborted) return
    timers.set(
      job,
      setTimeout(() => start(job), pause),
    )
  }

  function start(job: Job): void {
    const run = runners
      .get(job)!
      .attempt()
      .then(ended => {
        running.delete(job)
        const pause = 'every' in job ? job.every : lookEvery
        plan(job, ended === 'held' ? Math.min(pause, HELD_PAUSE) : pause)
      })
    running.set(job, run)
  }

  for (const job of jobs) {
    if (!('every' in job) || job.atStart) start(job)
    else plan(job, job.every)
  }
  return {
    outcomes: () => [...runners.values()].map(({ outcome }) => outcome),
    /** Aborts running jobs and starts no more; resolves when they have ended, or after `stopPatience`. */
    async stop() {
      stopping.abort(new Error('the service is stopping'))
      for (const timer of timers.values()) clearTimeout(timer)
      await withTimeout(stopPatience, Promise.all(running.values()))
      if (running.size > 0) log.warn('jobs were cut off', { jobs: [...running.keys()].map(job => job.name) })
    },
  }
}

type RunOutcome = 'ok' | 'failed' | 'held' | 'not due'

/** Runs a job, never twice at the same time, and keeps the results of its runs. */
function createRunner(job: Job, { coordination, database, log, now }: SchedulerParts, stopping: AbortSignal) {
  const { name, lease } = job
  const daily = 'dailyAt' in job ? watch(job, { now, log }) : null
  const outcome: JobOutcome = { name, succeeded: 0, failed: 0, skipped: 0, last: null, lastSuccessAt: null }

  /** Runs the job if it is still due. */
  async function perform(signal: AbortSignal): Promise<RunOutcome> {
    // This is checked again while the lease is held, because another process may have run the job just
    // before.
    if (daily && !(await daily.isDue())) return 'not due'
    daily?.begun()
    const begunAt = now()
    await job.run(signal)
    note(begunAt, true)
    return 'ok'
  }

  function note(begunAt: number, ok: boolean): void {
    const endedAt = now()
    outcome.last = { ok, endedAt, milliseconds: endedAt - begunAt }
    if (ok) {
      outcome.succeeded++
      outcome.lastSuccessAt = endedAt
    } else outcome.failed++
  }

  async function attempt(): Promise<RunOutcome> {
    const begunAt = now()
    try {
      const asked = database.currentState()
      // There is no `await` if the database answers synchronously, so that a job at startup begins at once.
      if (asked instanceof Promise) await asked
      if (daily && !(await daily.isDue())) return 'not due'
      if (lease === undefined) return await perform(stopping)
      const done = await coordination.exclusively(lease, lost => perform(AbortSignal.any([stopping, lost])))
      if (done) return done.result
    } catch (error) {
      // Another process is making a large change; the job runs after it.
      if (error instanceof DatabaseBusyError) return skip('the database is busy')
      if (!(error instanceof IncompleteRun)) log.error('a job failed', { job: name, cause: error })
      note(begunAt, false)
      return 'failed'
    }
    return skip('its task is held')
  }

  function skip(why: string): RunOutcome {
    log.debug(`a job was left out: ${why}`, { job: name, task: lease })
    outcome.skipped++
    return 'held'
  }

  return { outcome, attempt }
}

/** Determines when a daily job is due. */
function watch(job: DailyJob, { now, log }: Pick<SchedulerParts, 'now' | 'log'>) {
  let at = job.dailyAt()
  let watchedSince = now()
  let begunAt: number | null = null
  /** The recorded run in the future about which a line was already logged. */
  let toldOf: number | null = null
  return {
    async isDue(): Promise<boolean> {
      const wanted = job.dailyAt()
      if (wanted !== at) {
        at = wanted
        watchedSince = now()
      }
      const recorded = await job.lastRun()
      if (recorded !== null && recorded > now() && recorded !== toldOf) {
        toldOf = recorded
        log.warn('the last run of a job lies in the future and does not count', {
          job: job.name,
          lastRun: new Date(recorded).toISOString(),
        })
      }
      // A run that began in this process counts even if the job has recorded nothing: a failed job runs again
      // the next day, not at every check.
      const runs = [recorded, begunAt].filter(run => run !== null && run <= now()) as number[]
      const lastRun = runs.length > 0 ? Math.max(...runs) : null
      watchedSince = Math.min(watchedSince, now())
      return isDue({ at, now: now(), lastRun, watchedSince })
    },
    begun() {
      begunAt = now()
    },
  }
}
