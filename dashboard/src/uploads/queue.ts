/**
 * Everything that is being uploaded, three files at a time, each with a progress and an outcome of its own. Knows nothing
 * of pages: it goes on while they change.
 */
import type { DashUploadAnswer } from '../../../src/contract/ingest.ts'
import { ApiError, ConnectionError } from '../api/error.ts'
import type { Job } from './plan.ts'
import { canRetry, isActive, outcome, type Problem } from './queue-state.ts'
import type { SendOptions } from './send.ts'
import { createUploadList, type ListParts, type UploadList } from './upload-list.ts'

export interface QueueParts extends ListParts {
  send(job: Job, options: SendOptions): Promise<DashUploadAnswer>
  isReadable(file: File): Promise<boolean>
  /** False while the service is away: then everything waits for it. */
  isReachable(): Promise<boolean>
}

const AT_A_TIME = 3
/** Transfers that break off while the service answers otherwise. */
const ATTEMPTS = 3
const ASK_AGAIN = 3000

export function createQueue(parts: QueueParts) {
  const list = createUploadList(parts)
  const line = createLine(parts, list)

  function retry(ids: readonly number[], overwrite = false): void {
    for (const id of ids) {
      const item = list.get(id)
      if (!item || !canRetry(item)) continue
      const job = overwrite ? { ...item.job, overwrite } : item.job
      list.change(id, { job, stage: 'waiting', sent: 0, broken: 0, problem: null, refused: [] })
      line.join(id)
    }
    line.pump()
  }

  return {
    add(jobs: readonly Job[]): void {
      for (const job of jobs) line.join(list.add(job))
      line.pump()
    },
    cancel: line.cancel,
    cancelAll: () => line.cancel(list.select(isActive)),
    /** `overwrite`: this time over what is there. */
    retry,
    retryAll: () => retry(list.select(canRetry)),
    /** Takes off the list whatever is over. */
    clear: () => list.remove(list.select(item => !isActive(item))),
  }
}

/** The uploads that wait for their turn and those that are being sent. */
function createLine(parts: QueueParts, list: UploadList) {
  const running = new Map<number, AbortController>()
  let waiting: number[] = []
  let isServiceAway = false

  function pump(): void {
    while (!isServiceAway && running.size < AT_A_TIME) {
      const id = waiting.shift()
      if (id === undefined) break
      void run(id)
    }
    if (running.size === 0) list.pause()
  }

  async function run(id: number): Promise<void> {
    const { job, broken } = list.get(id)!
    const controller = new AbortController()
    running.set(id, controller)
    list.change(id, { stage: 'running', sent: 0, problem: null })
    try {
      const onProgress = (loaded: number) => list.progress(id, loaded)
      list.change(id, outcome(job, await parts.send(job, { signal: controller.signal, onProgress })))
    } catch (error) {
      if (controller.signal.aborted) list.change(id, { stage: 'cancelled', sent: 0 })
      else settle(id, broken, await judge(error, job.file, parts))
    } finally {
      running.delete(id)
      pump()
    }
  }

  function settle(id: number, before: number, verdict: Verdict): void {
    const broken = verdict === 'broken' ? before + 1 : before
    const problem = broken === ATTEMPTS ? { cause: 'broken' as const } : verdict
    if (typeof problem === 'object') {
      list.change(id, { stage: 'refused', sent: 0, problem })
    } else {
      waiting.unshift(id)
      list.change(id, { stage: 'waiting', sent: 0, broken })
      if (verdict === 'away' && !isServiceAway) waitForService()
    }
  }

  function waitForService(): void {
    isServiceAway = true
    whenReachable(parts, () => {
      isServiceAway = false
      pump()
    })
  }

  function cancel(ids: readonly number[]): void {
    for (const id of ids) {
      if (list.get(id)?.stage === 'waiting') list.change(id, { stage: 'cancelled' })
      else running.get(id)?.abort()
    }
    waiting = waiting.filter(id => list.get(id)?.stage === 'waiting')
  }

  return { pump, cancel, join: (id: number) => waiting.push(id) }
}

function whenReachable(
  { isReachable, later }: Pick<QueueParts, 'isReachable' | 'later'>,
  then: () => void,
): void {
  later(async () => {
    if (await isReachable()) then()
    else whenReachable({ isReachable, later }, then)
  }, ASK_AGAIN)
}

/** What came of a failed transfer: a problem to show, or a transfer that may succeed later. */
type Verdict = Problem | 'away' | 'broken'

async function judge(error: unknown, file: File, { isReadable, isReachable }: QueueParts): Promise<Verdict> {
  if (error instanceof ApiError) return { sentence: error.sentence, code: error.code }
  if (!(error instanceof ConnectionError)) return { cause: 'unexpected' }
  if (!(await isReadable(file))) return { cause: 'unreadable' }
  return (await isReachable()) ? 'broken' : 'away'
}
