/**
 * Runs jobs at intervals or daily. A job never runs twice at the same time in this process. While a job with
 * a lease runs, it runs in no other process either. A failed run is logged, and the job runs again at its
 * next scheduled time.
 */

import type { Log } from '../base/log.ts'
import { withTimeout } from '../base/time-limit.ts'
import { type Database, DatabaseBusyError } from '../database/database.ts'
import type { Coordination } from './coordination.ts'
import { isDue } from './daily.ts'
import { type DailyJob, IncompleteRunError, type Job, type JobStatistics } from './job.ts'

/** Milliseconds between two checks of whether a daily job is due. */
const CHECK_INTERVAL = 20_000

/**
 * Maximum milliseconds between a skipped run and the next attempt. By then, the lease of a job whose process
 * has died has expired.
 */
const MAX_RETRY_DELAY = 35_000

/**
 * Milliseconds within which running jobs must end at shutdown. A job that reads the whole store may not
 * notice the stop in time; killing it does no more harm than a crash.
 */
const STOP_TIMEOUT = 8_000

interface SchedulerParts {
  jobs: readonly Job[]
  coordination: Pick<Coordination, 'exclusively'>
  /** `currentState` is called before each run, so that the job uses the current settings. */
  database: Pick<Database, 'currentState'>
  log: Log
  now: () => number
  checkInterval?: number
  stopTimeout?: number
}

export function startJobs(parts: SchedulerParts) {
  const { jobs, log, checkInterval = CHECK_INTERVAL, stopTimeout = STOP_TIMEOUT } = parts
  const stopController = new AbortController()
  const timers = new Map<Job, Timer>()
  const runningJobs = new Map<Job, Promise<void>>()
  const runners = new Map(jobs.map(job => [job, createJobRunner(job, parts, stopController.signal)]))

  function schedule(job: Job, delay: number): void {
    if (stopController.signal.aborted) return
    timers.set(
      job,
      setTimeout(() => startJob(job), delay),
    )
  }

  function startJob(job: Job): void {
    const run = runners
      .get(job)!
      .attempt()
      .then(runOutcome => {
        runningJobs.delete(job)
        const delay = 'interval' in job ? job.interval : checkInterval
        schedule(job, runOutcome === 'skipped' ? Math.min(delay, MAX_RETRY_DELAY) : delay)
      })
    runningJobs.set(job, run)
  }

  for (const job of jobs) {
    if (!('interval' in job) || job.atStart) startJob(job)
    else schedule(job, job.interval)
  }
  return {
    outcomes: () => [...runners.values()].map(({ outcome }) => outcome),
    /**
     * Aborts running jobs and starts no more. Resolves when they have ended, at the latest after
     * `stopTimeout`.
     */
    async stop() {
      stopController.abort(new Error('the service is stopping'))
      for (const timer of timers.values()) clearTimeout(timer)
      await withTimeout(stopTimeout, Promise.all(runningJobs.values()))
      if (runningJobs.size > 0)
        log.warn('jobs were cut off', { jobs: [...runningJobs.keys()].map(job => job.name) })
    },
  }
}

type RunOutcome = 'ok' | 'failed' | 'skipped' | 'not due'

/**
 * Creates the runner of one job: `attempt` runs the job if it is due, `outcome` has the results of all its
 * runs.
 */
function createJobRunner(
  job: Job,
  { coordination, database, log, now }: SchedulerParts,
  stopSignal: AbortSignal,
) {
  const { name, lease } = job
  const dailyWatch = 'dailyAt' in job ? watchDailyJob(job, { now, log }) : null
  const outcome: JobStatistics = {
    name,
    succeeded: 0,
    failed: 0,
    skipped: 0,
    lastRun: null,
    lastSuccessAt: null,
  }

  /** Runs the job, unless it is a daily job that is no longer due. */
  async function runIfDue(signal: AbortSignal): Promise<RunOutcome> {
    // `attemptRun` has checked this before, but without the lease: another process may have run the job
    // meanwhile.
    if (dailyWatch && !(await dailyWatch.isDue())) return 'not due'
    dailyWatch?.onStart()
    const begunAt = now()
    await job.run(signal)
    recordOutcome(begunAt, true)
    return 'ok'
  }

  function recordOutcome(begunAt: number, ok: boolean): void {
    const endedAt = now()
    outcome.lastRun = { ok, endedAt, milliseconds: endedAt - begunAt }
    if (ok) {
      outcome.succeeded++
      outcome.lastSuccessAt = endedAt
    } else outcome.failed++
  }

  async function attemptRun(): Promise<RunOutcome> {
    const begunAt = now()
    try {
      const stateRefresh = database.currentState()
      // There is no `await` if the database answers synchronously, so that a job at startup begins
      // immediately.
      if (stateRefresh instanceof Promise) await stateRefresh
      if (dailyWatch && !(await dailyWatch.isDue())) return 'not due'
      if (lease === undefined) return await runIfDue(stopSignal)
      const leaseResult = await coordination.exclusively(lease, lossSignal =>
        runIfDue(AbortSignal.any([stopSignal, lossSignal])),
      )
      if (leaseResult) return leaseResult.result
    } catch (error) {
      // Another process is making a large change. The run is skipped, and the job is tried again later.
      if (error instanceof DatabaseBusyError) return recordSkip('the database is busy')
      if (!(error instanceof IncompleteRunError)) log.error('a job failed', { job: name, cause: error })
      recordOutcome(begunAt, false)
      return 'failed'
    }
    return recordSkip('its task is held')
  }

  function recordSkip(reason: string): RunOutcome {
    log.debug(`a job was left out: ${reason}`, { job: name, task: lease })
    outcome.skipped++
    return 'skipped'
  }

  return { outcome, attempt: attemptRun }
}

/** Watches the runs of a daily job and its time of day, which may be changed, to decide whether it is due. */
function watchDailyJob(job: DailyJob, { now, log }: Pick<SchedulerParts, 'now' | 'log'>) {
  let watchedTimeOfDay = job.dailyAt()
  let watchedSince = now()
  let lastBegunAt: number | null = null
  /**
   * The recorded run time about which a warning was logged, because it is in the future; null: none was
   * logged.
   */
  let warnedAboutRun: number | null = null
  return {
    async isDue(): Promise<boolean> {
      const timeOfDay = job.dailyAt()
      if (timeOfDay !== watchedTimeOfDay) {
        watchedTimeOfDay = timeOfDay
        watchedSince = now()
      }
      const recordedRun = await job.lastRun()
      if (recordedRun !== null && recordedRun > now() && recordedRun !== warnedAboutRun) {
        warnedAboutRun = recordedRun
        log.warn('the last run of a job lies in the future and does not count', {
          job: job.name,
          lastRun: new Date(recordedRun).toISOString(),
        })
      }
      // A run that began in this process counts even if the job has recorded nothing: a failed job runs again
      // the next day, not at every check.
      const runTimes = [recordedRun, lastBegunAt].filter(
        runTime => runTime !== null && runTime <= now(),
      ) as number[]
      const lastRun = runTimes.length > 0 ? Math.max(...runTimes) : null
      watchedSince = Math.min(watchedSince, now())
      return isDue({ timeOfDay, now: now(), lastRun, watchedSince })
    },
    onStart() {
      lastBegunAt = now()
    },
  }
}
