import { beforeEach, describe, expect, test } from 'bun:test'
import { eventually, nextTurn } from '../../test/support/wait.ts'
import { createLog } from '../base/log.ts'
import type { LeaseName } from './coordination.ts'
import { type DailyJob, IncompleteRunError, type Job } from './job.ts'
import { startJobs } from './scheduler.ts'

/** Leases that another process holds. */
const heldElsewhere = new Set<LeaseName>()
let lost = new AbortController()
const coordination = {
  async exclusively<T>(task: LeaseName, work: (signal: AbortSignal) => Promise<T>) {
    return heldElsewhere.has(task) ? null : { result: await work(lost.signal) }
  },
}
let clock = 0
beforeEach(() => {
  heldElsewhere.clear()
  lost = new AbortController()
  clock = new Date(2026, 5, 10, 12).getTime()
})

function workshop(...jobs: Job[]) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', isHumanReadable: false, write: line => lines.push(line) })
  const scheduler = startJobs({
    jobs,
    coordination,
    database: { currentState: () => ({ version: 1, settings: new Map() }) },
    log,
    now: () => clock,
    checkInterval: 1,
    stopTimeout: 1000,
  })
  return { lines, scheduler }
}
const until = (holds: () => boolean) => eventually('it holds', holds)

describe('a job', () => {
  test('runs again and again, the first time after its interval', async () => {
    let runs = 0
    const { scheduler } = workshop({ name: 'a', interval: 20, run: async () => runs++ })
    expect(runs).toBe(0)
    await until(() => runs >= 3)
    await scheduler.stop()
  })

  test('that is to run at the start does, and then at its interval', async () => {
    let runs = 0
    const { scheduler } = workshop({ name: 'a', interval: 20, atStart: true, run: async () => runs++ })
    expect(runs).toBe(1)
    await until(() => runs >= 2)
    await scheduler.stop()
  })

  test('that has logged itself what it could not do has failed, without a second line', async () => {
    const run = async () => {
      throw new IncompleteRunError('two objects are left')
    }
    const { scheduler, lines } = workshop({ name: 'a', interval: 20, atStart: true, run })
    await until(() => scheduler.outcomes()[0]!.lastRun !== null)
    await scheduler.stop()
    expect(scheduler.outcomes()[0]).toMatchObject({ succeeded: 0, failed: 1 })
    expect(lines).toEqual([])
  })

  test('never runs twice at once, however slow it is', async () => {
    let running = 0
    let most = 0
    let runs = 0
    const run = async () => {
      most = Math.max(most, ++running)
      await nextTurn()
      running--
      runs++
    }
    const { scheduler } = workshop({ name: 'slow', interval: 1, run })
    await until(() => runs >= 4)
    await scheduler.stop()
    expect(most).toBe(1)
  })

  test('does not wait for another one', async () => {
    let quick = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const { scheduler } = workshop(
      { name: 'stuck', interval: 1, run: () => promise },
      { name: 'quick', interval: 1, run: async () => quick++ },
    )
    await until(() => quick >= 5)
    resolve()
    await scheduler.stop()
  })

  test('that fails is logged by its name, with the cause, and comes again', async () => {
    let runs = 0
    const run = async () => {
      if (++runs < 3) throw new Error(`trouble ${runs}`)
    }
    const { scheduler, lines } = workshop({ name: 'flaky job', interval: 1, run })
    await until(() => runs >= 4)
    await scheduler.stop()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('flaky job')
    expect(lines[0]).toContain('trouble 1')
  })

  test('that fails does not disturb the others', async () => {
    let runs = 0
    const { scheduler } = workshop(
      { name: 'broken', interval: 1, run: () => Promise.reject(new Error('always')) },
      { name: 'fine', interval: 1, run: async () => runs++ },
    )
    await until(() => runs >= 5)
    await scheduler.stop()
  })
})

describe('a job with a task', () => {
  test('is left out while somebody else holds it, without a word of alarm, and comes again', async () => {
    let runs = 0
    heldElsewhere.add('trash')
    const { scheduler, lines } = workshop({ name: 'a', lease: 'trash', interval: 1, run: async () => runs++ })
    await until(() => scheduler.outcomes()[0]!.skipped >= 2)
    expect(runs).toBe(0)
    heldElsewhere.clear()
    await until(() => runs >= 1)
    await scheduler.stop()
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'debug', task: 'trash' })
  })

  test('does not keep one without a task from running', async () => {
    let runs = 0
    heldElsewhere.add('trash')
    const { scheduler } = workshop(
      { name: 'a', lease: 'trash', interval: 1, run: async () => {} },
      { name: 'b', interval: 1, run: async () => runs++ },
    )
    await until(() => runs >= 2)
    await scheduler.stop()
  })

  test('is told when it lost the task, and when the service stops', async () => {
    for (const end of ['stop', 'lost'] as const) {
      let told: AbortSignal | undefined
      const run = (signal: AbortSignal) => {
        told = signal
        return new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      }
      const { scheduler } = workshop({ name: 'a', lease: 'sweep', interval: 1, atStart: true, run })
      await until(() => told !== undefined)
      expect(told!.aborted).toBe(false)
      if (end === 'lost') lost.abort()
      await scheduler.stop()
      expect(told!.aborted).toBe(true)
    }
  })
})

describe('a daily job', () => {
  const MINUTE = 60_000
  function daily(given: Partial<DailyJob> = {}) {
    const runs: number[] = []
    let at = '14:00'
    const job: DailyJob = {
      name: 'nightly',
      dailyAt: () => at,
      lastRun: async () => clock - 20 * 60 * MINUTE,
      run: async () => runs.push(clock),
      ...given,
    }
    return { runs, job, setTime: (text: string) => (at = text) }
  }
  /** Waits for many checks of a scheduler that started later than all others. */
  async function looks(): Promise<void> {
    let seen = 0
    const other = workshop({ name: 'looks', interval: 1, run: async () => seen++ })
    await until(() => seen > 10)
    await other.scheduler.stop()
  }

  test('whose last run lies in the future runs at its time, and the log says so once', async () => {
    const aYearAhead = clock + 365 * 24 * 60 * MINUTE
    const { runs, job } = daily({ lastRun: async () => aYearAhead })
    const { scheduler, lines } = workshop(job)
    await looks()
    clock += 120 * MINUTE
    await until(() => runs.length > 0)
    await looks()
    await scheduler.stop()
    expect(runs).toHaveLength(1)
    expect(lines.filter(line => line.includes('lies in the future'))).toHaveLength(1)
  })

  test('begun with a clock that was ahead runs again after the clock was set back', async () => {
    const { runs, job } = daily({ lastRun: async () => null })
    clock += 365 * 24 * 60 * MINUTE
    const { scheduler } = workshop(job)
    clock += 24 * 60 * MINUTE
    await until(() => runs.length === 1)
    clock -= 365 * 24 * 60 * MINUTE
    await looks()
    clock += 24 * 60 * MINUTE
    await until(() => runs.length === 2)
    await scheduler.stop()
  })

  test('runs when its time comes, and once', async () => {
    const { runs, job } = daily()
    const { scheduler } = workshop(job)
    await looks()
    expect(runs).toEqual([])
    clock += 120 * MINUTE
    await until(() => runs.length > 0)
    clock += MINUTE
    await looks()
    await scheduler.stop()
    expect(runs).toHaveLength(1)
  })

  test('follows a changed time; one that has passed today counts from tomorrow', async () => {
    const { runs, job, setTime } = daily()
    const { scheduler } = workshop(job)
    setTime('11:00')
    await looks()
    expect(runs).toEqual([])
    setTime('12:05')
    await looks()
    clock += 5 * MINUTE
    await until(() => runs.length === 1)
    await scheduler.stop()
  })

  test('that failed is not tried again at every look', async () => {
    let tries = 0
    const { job } = daily({
      run: async () => {
        tries++
        throw new Error('trouble')
      },
    })
    const { scheduler, lines } = workshop(job)
    clock += 120 * MINUTE
    await until(() => tries === 1)
    await looks()
    await scheduler.stop()
    expect([tries, lines.length]).toEqual([1, 1])
  })

  test('that another process did while this one waited for the task is not done again', async () => {
    let doneElsewhere: number | null = clock - 20 * 60 * MINUTE
    const { runs, job } = daily({ lease: 'sweep', lastRun: async () => doneElsewhere })
    heldElsewhere.add('sweep')
    const { scheduler } = workshop(job)
    clock += 120 * MINUTE
    await until(() => scheduler.outcomes()[0]!.skipped >= 1)
    doneElsewhere = clock
    heldElsewhere.clear()
    await looks()
    await scheduler.stop()
    expect(runs).toEqual([])
  })

  test('whose last run cannot be read says so and is looked at again', async () => {
    let asked = 0
    const { runs, job } = daily({
      lastRun: async () => {
        if (++asked === 1) throw new Error('no database')
        return null
      },
    })
    const { scheduler, lines } = workshop(job)
    await until(() => asked >= 2)
    clock += 120 * MINUTE
    await until(() => runs.length === 1)
    await scheduler.stop()
    expect(lines.join()).toContain('no database')
    expect(scheduler.outcomes()[0]).toMatchObject({ succeeded: 1, failed: 1 })
  })
})

test('outcomes say how each has fared, and for how long', async () => {
  let turn = 0
  const run = async () => {
    clock += 250
    if (++turn === 2) throw new Error('trouble')
  }
  const { scheduler } = workshop({ name: 'a', interval: 1, run }, { name: 'b', interval: 1e6, run })
  expect(scheduler.outcomes()[0]).toMatchObject({
    succeeded: 0,
    failed: 0,
    lastRun: null,
    lastSuccessAt: null,
  })
  await until(() => turn >= 3)
  await scheduler.stop()
  const ended = { endedAt: clock, milliseconds: 250 }
  expect(scheduler.outcomes()).toEqual([
    {
      name: 'a',
      succeeded: turn - 1,
      failed: 1,
      skipped: 0,
      lastRun: { ok: true, ...ended },
      lastSuccessAt: clock,
    },
    { name: 'b', succeeded: 0, failed: 0, skipped: 0, lastRun: null, lastSuccessAt: null },
  ])
})

test('the last success is remembered over a failure', async () => {
  let turn = 0
  const run = async () => {
    clock += 250
    if (++turn > 1) throw new Error('trouble')
  }
  const { scheduler } = workshop({ name: 'a', interval: 1, run })
  const success = clock + 250
  await until(() => turn >= 2)
  await scheduler.stop()
  expect(scheduler.outcomes()[0]).toMatchObject({ lastRun: { ok: false }, lastSuccessAt: success })
})

describe('stopping', () => {
  test('waits for what is running, and starts nothing more', async () => {
    let ended = 0
    let runs = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const run = async () => {
      runs++
      await promise
      ended++
    }
    const { scheduler } = workshop({ name: 'a', interval: 1, run })
    await until(() => runs === 1)
    let stopped = false
    const stop = scheduler.stop().then(() => {
      stopped = true
    })
    await nextTurn()
    expect(stopped).toBe(false)
    resolve()
    await stop
    expect([runs, ended]).toEqual([1, 1])
  })

  test('before the first run means that there is none', async () => {
    let runs = 0
    const { scheduler } = workshop({ name: 'a', interval: 5, run: async () => runs++ })
    await scheduler.stop()
    await nextTurn()
    expect(runs).toBe(0)
  })

  test('waits also for a run that fails, and does not fail itself', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    const { scheduler, lines } = workshop({ name: 'a', interval: 1, atStart: true, run: () => promise })
    const stop = scheduler.stop()
    reject(new Error('at the end'))
    await stop
    expect(lines.join()).toContain('at the end')
  })

  test('does not wait for ever: what takes no notice is named', async () => {
    const { scheduler, lines } = workshop({
      name: 'deaf',
      interval: 1,
      atStart: true,
      run: () => new Promise(() => {}),
    })
    await scheduler.stop()
    expect(lines.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'warn', message: 'jobs were cut off', jobs: ['deaf'] }),
    ])
  })

  test('twice is the same as once', async () => {
    const { scheduler } = workshop({ name: 'a', interval: 5, run: async () => {} })
    await Promise.all([scheduler.stop(), scheduler.stop()])
  })
})
