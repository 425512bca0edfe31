import { describe, expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import { type Job, startJobs } from './scheduler.ts'

function workshop(...jobs: Job[]) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', readable: false, write: line => lines.push(line) })
  return { lines, scheduler: startJobs(jobs, log) }
}
/** Waits until something holds, some seconds at the most. */
async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 5000; waited += 2) await Bun.sleep(2)
  expect(holds()).toBe(true)
}

describe('a job', () => {
  test('runs again and again, the first time after its interval', async () => {
    let runs = 0
    const { scheduler } = workshop({ name: 'a', every: 20, run: async () => runs++ })
    expect(runs).toBe(0)
    await until(() => runs >= 3)
    await scheduler.stop()
  })

  test('that is to run at the start does, and then at its interval', async () => {
    let runs = 0
    const { scheduler } = workshop({ name: 'a', every: 20, atStart: true, run: async () => runs++ })
    expect(runs).toBe(1)
    await until(() => runs >= 2)
    await scheduler.stop()
  })

  test('never runs twice at once, however slow it is', async () => {
    let running = 0
    let most = 0
    let runs = 0
    const run = async () => {
      most = Math.max(most, ++running)
      await Bun.sleep(15)
      running--
      runs++
    }
    const { scheduler } = workshop({ name: 'slow', every: 1, run })
    await until(() => runs >= 4)
    await scheduler.stop()
    expect(most).toBe(1)
  })

  test('does not wait for another one', async () => {
    let quick = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const { scheduler } = workshop(
      { name: 'stuck', every: 1, run: () => promise },
      { name: 'quick', every: 1, run: async () => quick++ },
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
    const { scheduler, lines } = workshop({ name: 'flaky job', every: 1, run })
    await until(() => runs >= 4)
    await scheduler.stop()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('flaky job')
    expect(lines[0]).toContain('trouble 1')
  })

  test('that fails does not disturb the others', async () => {
    let runs = 0
    const { scheduler } = workshop(
      { name: 'broken', every: 1, run: () => Promise.reject(new Error('always')) },
      { name: 'fine', every: 1, run: async () => runs++ },
    )
    await until(() => runs >= 5)
    await scheduler.stop()
  })
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
    const { scheduler } = workshop({ name: 'a', every: 1, run })
    await until(() => runs === 1)
    let stopped = false
    const stop = scheduler.stop().then(() => {
      stopped = true
    })
    await Bun.sleep(10)
    expect(stopped).toBe(false)
    resolve()
    await stop
    await Bun.sleep(10)
    expect([runs, ended]).toEqual([1, 1])
  })

  test('before the first run means that there is none', async () => {
    let runs = 0
    const { scheduler } = workshop({ name: 'a', every: 5, run: async () => runs++ })
    await scheduler.stop()
    await Bun.sleep(15)
    expect(runs).toBe(0)
  })

  test('waits also for a run that fails, and does not fail itself', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    const { scheduler, lines } = workshop({ name: 'a', every: 1, atStart: true, run: () => promise })
    const stop = scheduler.stop()
    reject(new Error('at the end'))
    await stop
    expect(lines.join()).toContain('at the end')
  })

  test('twice is the same as once', async () => {
    const { scheduler } = workshop({ name: 'a', every: 5, run: async () => {} })
    await Promise.all([scheduler.stop(), scheduler.stop()])
  })
})
