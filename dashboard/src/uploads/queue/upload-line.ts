/**
 * Sends the waiting uploads, three at a time. While the service cannot accept files, nothing is sent and no
 * upload counts as refused: the queue waits and then continues by itself.
 */
import type { DashUploadAnswer } from '../../../../src/contract/upload/ingest.ts'
import type { Job } from '../plan/plan.ts'
import { type Hold, outcomeOf } from './queue-state.ts'
import type { SendOptions } from './transfer.ts'
import type { UploadList } from './upload-list.ts'
import { judgeFailure, type Verdict, type VerdictParts } from './verdict.ts'

export interface LineParts extends VerdictParts {
  send(job: Job, options: SendOptions): Promise<DashUploadAnswer>
  now(): number
  /** Calls `work` after `delay` milliseconds. */
  later(work: () => void, delay: number): void
}

const AT_A_TIME = 3
/** Maximum number of attempts for a file whose transfer breaks although the service can be reached. */
const ATTEMPTS = 3
/** Milliseconds between two checks whether the service can be reached again. */
const ASK_AGAIN = 3000
/**
 * Maximum milliseconds between two attempts if the service is busy and names no time. The pause starts at
 * `ASK_AGAIN` and doubles each time.
 */
const LONGEST_PAUSE = 60_000
/** Limits for `Retry-After`, in milliseconds: zero would be a busy loop, a year a stuck queue. */
const ASKED_PAUSE = { least: 1000, most: 24 * 3600 * 1000 }

export function createUploadLine(parts: LineParts, list: UploadList) {
  const running = new Map<number, AbortController>()
  let waiting: number[] = []
  let hold: Hold | null = null
  let isPaused = false
  /** Number of waits since the service last accepted or refused a file. */
  let waits = 0

  const tell = () => list.setLine({ hold, isPaused })

  function pump(): void {
    // After a wait, one file is sent first; the others follow once it is answered.
    const most = waits > 0 ? 1 : AT_A_TIME
    while (!hold && !isPaused && running.size < most) {
      const id = waiting.shift()
      if (id === undefined) break
      void run(id)
    }
    if (running.size > 0) return
    list.pause()
    if (waiting.length === 0) reset()
  }

  /** Called when nothing is left to send, so that the next files start without a wait. */
  function reset(): void {
    hold = null
    isPaused = false
    waits = 0
    tell()
  }

  async function run(id: number): Promise<void> {
    const { job, broken } = list.get(id)!
    const controller = new AbortController()
    const { signal } = controller
    running.set(id, controller)
    list.change(id, { stage: 'running', sent: 0, problem: null })
    try {
      const onProgress = (loaded: number) => list.progress(id, loaded)
      list.change(id, outcomeOf(job, await parts.send(job, { signal, onProgress })))
      waits = 0
    } catch (error) {
      const verdict = signal.aborted ? null : await judgeFailure(error, job.file, parts)
      // The upload may have been cancelled meanwhile.
      if (verdict === null || signal.aborted) list.change(id, { stage: 'cancelled', sent: 0 })
      else settle(id, broken, verdict)
    } finally {
      running.delete(id)
      pump()
    }
  }

  function settle(id: number, before: number, verdict: Verdict): void {
    const broken = verdict.kind === 'broken' ? before + 1 : before
    if (verdict.kind === 'refused') waits = 0
    if (verdict.kind === 'refused' || broken === ATTEMPTS) {
      const problem = verdict.kind === 'refused' ? verdict.problem : { cause: 'broken' as const }
      list.change(id, { stage: 'refused', sent: 0, problem })
      return
    }
    // The upload is put at the end of the queue: a file that the service cannot store now must not block the
    // others.
    waiting.push(id)
    list.change(id, { stage: 'waiting', sent: 0, broken })
    if (verdict.kind === 'wait') wait(verdict)
  }

  function wait({ why, said, after }: Extract<Verdict, { kind: 'wait' }>): void {
    if (!hold) waits++
    const pause =
      after === null
        ? Math.min(ASK_AGAIN * 2 ** (waits - 1), LONGEST_PAUSE)
        : Math.min(Math.max(after, ASKED_PAUSE.least), ASKED_PAUSE.most)
    const until = why === 'busy' ? parts.now() + pause : null
    if (hold && !isLonger({ why, said, until }, hold)) return
    enter({ why, said, until }, why === 'busy' ? pause : ASK_AGAIN)
  }

  function enter(next: Hold, delay: number): void {
    hold = next
    tell()
    // A new sign-in is reported by `signedIn`; everything else is polled.
    if (next.why !== 'signedOut') parts.later(() => void look(next), delay)
  }

  async function look(mine: Hold): Promise<void> {
    if (hold !== mine) return
    const isThere = await parts.isReachable()
    if (hold !== mine) return
    if (isThere) release()
    else enter({ why: 'away', said: null, until: null }, ASK_AGAIN)
  }

  function release(): void {
    hold = null
    tell()
    pump()
  }

  function cancel(ids: readonly number[]): void {
    for (const id of ids) {
      if (list.get(id)?.stage === 'waiting') list.change(id, { stage: 'cancelled' })
      else running.get(id)?.abort()
    }
    waiting = waiting.filter(id => list.get(id)?.stage === 'waiting')
    pump()
  }

  return {
    pump,
    cancel,
    join: (id: number) => waiting.push(id),
    setPaused(next: boolean) {
      isPaused = next
      tell()
      pump()
    },
    tryNow() {
      if (hold && hold.why !== 'signedOut') release()
    },
    signedIn() {
      if (hold?.why === 'signedOut') release()
    },
  }
}

/**
 * Whether the next wait replaces the present one: it is longer, or the session has ended, which outweighs
 * every other reason.
 */
const isLonger = (next: Hold, present: Hold) =>
  next.why === 'signedOut' || (next.until ?? 0) > (present.until ?? Number.POSITIVE_INFINITY)
