import { describe, expect, test } from 'bun:test'
import type { MaintenanceRoundAnswer } from '../../../../src/contract/service/maintenance.ts'
import { createPass, type PassState } from './pass.ts'

type Step = MaintenanceRoundAnswer | Error
const answer = (bearbeitet: number, offen: number): MaintenanceRoundAnswer => ({
  bearbeitet,
  offen,
  fertig: offen === 0,
})

/** Answers one step after the other; `between` runs during each call. */
function world(steps: Step[], between: (nr: number) => void = () => {}) {
  let [calls, time] = [0, 0]
  const seen: PassState[] = []
  const waiting: (() => void)[] = []
  const pass = createPass({
    async requestRound() {
      const step = steps[calls++]
      between(calls)
      await null
      if (step === undefined) throw new Error('one call too many')
      if (step instanceof Error) throw step
      return step
    },
    isRetryable: error => error.message === 'away',
    pause: milliseconds =>
      milliseconds < 10_000 ? Promise.resolve() : new Promise<void>(resolve => waiting.push(resolve)),
    now: () => time,
  })
  pass.subscribe(() => seen.push(pass.get()))
  return {
    pass,
    seen,
    calls: () => calls,
    elapse: (milliseconds: number) => {
      time += milliseconds
    },
    async silence() {
      for (const resolve of waiting.splice(0)) resolve()
      await null
    },
  }
}

describe('a pass', () => {
  test('calls until it is done, and says how far it is', async () => {
    const { pass, seen } = world([answer(300, 400), answer(300, 100), answer(100, 0)])
    await pass.start()
    expect(seen).toEqual([
      { phase: 'running', done: 0, total: null },
      { phase: 'running', done: 300, total: 700 },
      { phase: 'running', done: 600, total: 700 },
      { phase: 'done', done: 700 },
    ])
  })

  test('nothing to do is done after one call', async () => {
    const { pass, calls } = world([answer(0, 0)])
    await pass.start()
    expect([pass.get(), calls()]).toEqual([{ phase: 'done', done: 0 }, 1])
  })

  test('stopped, it finishes its round and calls no more', async () => {
    const { pass, seen, calls } = world([answer(300, 400), answer(300, 100)], nr => nr === 2 && pass.stop())
    await pass.start()
    expect(calls()).toBe(2)
    expect(seen.at(-2)).toEqual({ phase: 'stopping', done: 300, total: 700 })
    expect(pass.get()).toEqual({ phase: 'stopped', done: 600, openCount: 100 })
  })

  test('a connection that fails now and then does not end it; three times in a row do', async () => {
    const away = new Error('away')
    const healed = world([away, away, answer(1, 1), away, answer(1, 0)])
    await healed.pass.start()
    expect(healed.pass.get()).toEqual({ phase: 'done', done: 2 })
    const gone = world([answer(5, 9), away, away, away])
    await gone.pass.start()
    expect(gone.pass.get()).toEqual({ phase: 'failed', error: away, done: 5 })
  })

  test('a refusal ends it at once; it can be started again', async () => {
    const refusal = new Error('refused')
    const { pass, calls } = world([refusal, answer(2, 0)])
    await pass.start()
    expect([pass.get(), calls()]).toEqual([{ phase: 'failed', error: refusal, done: 0 }, 1])
    await pass.start()
    expect(pass.get()).toEqual({ phase: 'done', done: 2 })
  })

  test('starting twice makes one pass', async () => {
    const { pass, calls } = world([answer(1, 0)])
    await Promise.all([pass.start(), pass.start()])
    expect(calls()).toBe(1)
  })
})

describe('what is heard', () => {
  test('within a round counts at once, and the figures never jump back at its end', async () => {
    const { pass, seen } = world([answer(300, 400), answer(300, 100), answer(100, 0)], nr => {
      if (nr === 1) pass.onProgress({ erledigt: 1012, gesamt: 1700, fertig: false })
    })
    await pass.start()
    expect(seen.slice(1, 4)).toEqual([
      { phase: 'running', done: 1012, total: 1700 },
      { phase: 'running', done: 1012, total: 1412 },
      // Nobody listened to this progress.
      { phase: 'running', done: 1312, total: 1412 },
    ])
    // At the end it shows how many files this window has done.
    expect(pass.get()).toEqual({ phase: 'done', done: 700 })
  })

  test('the last word on a round comes late and is no other window', async () => {
    const { pass, elapse } = world([answer(1, 0)])
    await pass.start()
    pass.onProgress({ erledigt: 1, gesamt: 2, fertig: false })
    expect(pass.get().phase).toBe('done')
    elapse(3000)
    pass.onProgress({ erledigt: 1, gesamt: 2, fertig: false })
    expect(pass.get()).toEqual({ phase: 'elsewhere', done: 1, total: 2 })
  })

  test('of another window is shown until it ends, or falls silent', async () => {
    const { pass, silence } = world([])
    pass.onProgress({ erledigt: 12, gesamt: 40, fertig: false })
    pass.onProgress({ erledigt: 40, gesamt: 40, fertig: true })
    expect(pass.get()).toEqual({ phase: 'done', done: 40 })
    await silence()
    expect(pass.get().phase).toBe('done')
    pass.onProgress({ erledigt: 1, gesamt: 9, fertig: false })
    await silence()
    expect(pass.get()).toEqual({ phase: 'idle' })
  })
})
