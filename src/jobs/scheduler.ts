/**
 * Runs jobs at intervals or daily. A job never runs twice at the same time in this process; a job with a task runs in
 * no other process at that time either. A failed run is logged, and the job runs again at its next time.
 */
import type { Coordination } from '../coordination/coordination.ts'
import type { Log } from '../log.ts'
import { isDue } from './daily.ts'
import type { DailyJob, Job, JobOutcome } from './job.ts'

/** Milliseconds between two checks of the clock for daily jobs. */
const LOOK_EVERY = 20_000

/** Milliseconds until the next try when a task is held: by then the lease of a process that died has expired. */
const HELD_PAUSE = 35_000

/**
 * Milliseconds that running jobs get at shutdown. A job that reads the whole store may not notice the stop in time;
 * ending it in the middle leaves no more undone than a crash would.
 */
const STOP_PATIENCE = 8_000

export interface Scheduler {
  outcomes(): readonly JobOutcome[]
  /** Starts no further run and aborts running jobs; resolves when they have ended, or after `stopPatience`. */
  stop(): Promise<void>
}

export interface SchedulerParts {
  jobs: readonly Job[]
  coordination: Pick<Coordination, 'exclusively'>
  log: Log
  now: () => number
  lookEvery?: number
  stopPatience?: number
}

type Ended = 'ok' | 'failed' | 'held' | 'not due'

export function startJobs(parts: SchedulerParts): Scheduler {
  const { jobs, coordination, log, now, lookEvery = LOOK_EVERY, stopPatience = STOP_PATIENCE } = parts
  const timers = new Map<Job, Timer>()
  const running = new Map<Job, Promise<void>>()
  const outcomes = new Map<Job, JobOutcome>(jobs.map(job => [job, untried(job.name)]))
  const stopping = new AbortController()

  function plan(job: Job, pause: number): void {
    if (stopping.signal.aborted) return
    timers.set(
      job,
      setTimeout(() => start(job), pause),
    )
  }

  const dueNow = new Map(jobs.flatMap(job => ('dailyAt' in job ? [[job, watch(job, now)] as const] : [])))

  /** Runs the job, if it is still due. */
  async function perform(job: Job, signal: AbortSignal): Promise<Ended> {
    const daily = dueNow.get(job as DailyJob)
    // Checked again while the task is held: another process may have run the job just before.
    if (daily && !(await daily.isDue())) return 'not due'
    daily?.begun()
    const begunAt = now()
    await job.run(signal)
    note(job, begunAt, true)
    return 'ok'
  }

  async function attempt(job: Job): Promise<Ended> {
    const daily = dueNow.get(job as DailyJob)
    const begunAt = now()
    try {
      if (daily && !(await daily.isDue())) return 'not due'
      if (job.task === undefined) return await perform(job, stopping.signal)
      const done = await coordination.exclusively(job.task, lost =>
        perform(job, AbortSignal.any([stopping.signal, lost])),
      )
      if (done) return done.result
    } catch (error) {
      log.error('a job failed', { job: job.name, cause: error })
      note(job, begunAt, false)
      return 'failed'
    }
    log.debug('a job was left out: its task is held', { job: job.name, task: job.task })
    outcomes.get(job)!.skipped++
    return 'held'
  }

  function note(job: Job, begunAt: number, ok: boolean): void {
    const outcome = outcomes.get(job)!
    const endedAt = now()
    outcome.last = { ok, endedAt, milliseconds: endedAt - begunAt }
    if (ok) {
      outcome.succeeded++
      outcome.lastSuccessAt = endedAt
    } else outcome.failed++
  }

  function start(job: Job): void {
    const run = attempt(job).then(ended => {
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
    outcomes: () => [...outcomes.values()],
    async stop() {
      stopping.abort(new Error('the service is stopping'))
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.race([Promise.all(running.values()), Bun.sleep(stopPatience)])
      if (running.size > 0) log.warn('jobs were cut off', { jobs: [...running.keys()].map(job => job.name) })
    },
  }
}

/** Watches the clock for one daily job. */
function watch(job: DailyJob, now: () => number) {
  let at = job.dailyAt()
  let watchedSince = now()
  let begunAt: number | null = null
  return {
    async isDue(): Promise<boolean> {
      const wanted = job.dailyAt()
      if (wanted !== at) {
        at = wanted
        watchedSince = now()
      }
      // A run begun in this process counts even if the job recorded nothing: a failed job runs again the next day, not
      // at every check.
      const lastRun = latest(await job.lastRun(), begunAt)
      return isDue({ at, now: now(), lastRun, watchedSince })
    },
    begun() {
      begunAt = now()
    },
  }
}

const latest = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

const untried = (name: string): JobOutcome => ({
  name,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  last: null,
  lastSuccessAt: null,
})
