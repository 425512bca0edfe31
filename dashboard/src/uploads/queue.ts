/**
 * Everything that is being uploaded, three files at a time, each with a progress and an outcome of its own. Knows nothing
 * of pages: it goes on while they change.
 */
import type { DashUploadAnswer } from '../../../src/contract/ingest.ts'
import { ApiError, ConnectionError } from '../api/error.ts'
import { createMeter } from '../hooks/meter.ts'
import type { Job } from './plan.ts'
import {
  canRetry,
  isActive,
  outcome,
  type Problem,
  stateOf,
  type UploadItem,
  type UploadsState,
} from './queue-state.ts'
import type { SendOptions } from './send.ts'

export interface QueueParts {
  send(job: Job, options: SendOptions): Promise<DashUploadAnswer>
  isReadable(file: File): Promise<boolean>
  /** False while the service is away: then everything waits for it. */
  isReachable(): Promise<boolean>
  now(): number
  /** Runs something after some milliseconds. */
  later(work: () => void, delay: number): void
  onChange(state: UploadsState): void
}

const AT_A_TIME = 3
/** Transfers that break off while the service answers otherwise. */
const ATTEMPTS = 3
const ASK_AGAIN = 3000
/** Milliseconds in which changes are gathered before listeners are told. */
const GATHER = 100

export function createQueue({ send, isReadable, isReachable, now, later, onChange }: QueueParts) {
  const items = new Map<number, UploadItem>()
  const running = new Map<number, AbortController>()
  const attempts = new Map<number, number>()
  const meter = createMeter({ window: 6000, least: 800 })
  let gone = 0
  let waiting: number[] = []
  let nextId = 1
  let away = false
  let told = false

  function tell(): void {
    if (told) return
    told = true
    later(() => {
      told = false
      onChange(stateOf([...items.values()], meter.speed(now())))
    }, GATHER)
  }

  function change(id: number, next: Partial<UploadItem>): void {
    const item = items.get(id)
    // The upload may have been taken off the list while its request was on its way.
    if (item) items.set(id, { ...item, ...next })
    tell()
  }

  function pump(): void {
    while (!away && running.size < AT_A_TIME) {
      const id = waiting.shift()
      if (id === undefined) break
      void run(id)
    }
    if (running.size === 0) meter.reset()
  }

  async function run(id: number): Promise<void> {
    const { job } = items.get(id)!
    const controller = new AbortController()
    running.set(id, controller)
    change(id, { stage: 'running', sent: 0, problem: null })
    let counted = 0
    const onProgress = (loaded: number) => {
      const sent = Math.min(loaded, job.file.size)
      // The first bytes of a file count from this moment.
      if (counted === 0) meter.see(gone, now())
      gone += Math.max(sent - counted, 0)
      meter.see(gone, now())
      counted = sent
      change(id, { sent })
    }
    try {
      change(id, outcome(job, await send(job, { signal: controller.signal, onProgress })))
    } catch (error) {
      if (controller.signal.aborted) change(id, { stage: 'cancelled', sent: 0 })
      else await failed(id, error)
    } finally {
      running.delete(id)
      pump()
      tell()
    }
  }

  async function failed(id: number, error: unknown): Promise<void> {
    const refuse = (problem: Problem) => change(id, { stage: 'refused', sent: 0, problem })
    if (error instanceof ApiError) return refuse({ sentence: error.sentence })
    if (!(error instanceof ConnectionError)) return refuse({ cause: 'unexpected' })
    if (!(await isReadable(items.get(id)!.job.file))) return refuse({ cause: 'unreadable' })
    if (!(await isReachable())) return waitForService(id)
    const tried = (attempts.get(id) ?? 0) + 1
    attempts.set(id, tried)
    if (tried >= ATTEMPTS) refuse({ cause: 'broken' })
    else waitAgain(id)
  }

  function waitAgain(id: number): void {
    waiting.unshift(id)
    change(id, { stage: 'waiting', sent: 0 })
  }

  function waitForService(id: number): void {
    waitAgain(id)
    if (away) return
    away = true
    const ask = () =>
      later(async () => {
        if (!(await isReachable())) return ask()
        away = false
        pump()
      }, ASK_AGAIN)
    ask()
  }

  function cancel(ids: readonly number[]): void {
    const gone = new Set(ids)
    waiting = waiting.filter(id => !gone.has(id))
    for (const id of ids) {
      const controller = running.get(id)
      if (controller) controller.abort()
      else if (items.get(id)?.stage === 'waiting') change(id, { stage: 'cancelled' })
    }
  }

  const select = (want: (item: UploadItem) => boolean) => [...items.values()].filter(want).map(({ id }) => id)

  function retry(ids: readonly number[], overwrite = false): void {
    for (const id of ids) {
      const item = items.get(id)
      if (!item || !canRetry(item)) continue
      attempts.delete(id)
      waiting.push(id)
      const job = overwrite ? { ...item.job, overwrite } : item.job
      change(id, { job, stage: 'waiting', sent: 0, problem: null, refused: [] })
    }
    pump()
  }

  return {
    add(jobs: readonly Job[]): void {
      for (const job of jobs) {
        const id = nextId++
        items.set(id, { id, job, stage: 'waiting', sent: 0, problem: null, stored: [], refused: [] })
        waiting.push(id)
      }
      tell()
      pump()
    },
    cancel,
    cancelAll: () => cancel(select(isActive)),
    /** `overwrite`: this time over what is there. */
    retry,
    retryAll: () => retry(select(canRetry)),
    /** Takes off the list whatever is over. */
    clear(): void {
      for (const id of select(item => !isActive(item))) items.delete(id)
      tell()
    },
  }
}
