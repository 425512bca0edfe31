/**
 * Sends the waiting uploads, up to three at a time. While the service cannot accept files, no further file is
 * sent and no upload counts as refused: the queue waits and then continues by itself, or after a new sign-in
 * if the session has ended.
 */
import type { DashUploadAnswer } from '../../../../src/contract/upload/ingest.ts'
import type { UploadJob } from '../plan/plan.ts'
import { outcomeOf, type QueueHold } from './queue-state.ts'
import type { SendOptions } from './transfer.ts'
import type { UploadList } from './upload-list.ts'
import { classifyFailure, type FailureChecks, type TransferFailure } from './verdict.ts'

export interface SenderParts extends FailureChecks {
  send(job: UploadJob, options: SendOptions): Promise<DashUploadAnswer>
  now(): number
  schedule(callback: () => void, delayMs: number): void
}

const MAX_RUNNING_UPLOADS = 3
/** Maximum number of attempts for a file whose transfer breaks although the service can be reached. */
const MAX_ATTEMPTS = 3
/** Milliseconds between two checks whether the service can be reached again. */
const CHECK_INTERVAL_MS = 3000
/**
 * Maximum milliseconds between two attempts if the service is busy and does not say how long to wait. The
 * pause is `CHECK_INTERVAL_MS` at first and doubles each time.
 */
const MAX_PAUSE_MS = 60_000
/**
 * Limits for `Retry-After`, in milliseconds, so that 0 causes no busy loop and a year does not block the
 * queue.
 */
const RETRY_AFTER_LIMITS = { min: 1000, max: 24 * 3600 * 1000 }

export function createUploadSender(parts: SenderParts, list: UploadList) {
  const runningUploads = new Map<number, AbortController>()
  let waitingIds: number[] = []
  let hold: QueueHold | null = null
  let isPaused = false
  /** Number of waits (`QueueHold`) since the service last accepted or refused a file. */
  let waitCount = 0

  const reportState = () => list.setSenderState({ hold, isPaused })

  /** Sends waiting uploads, as many as may be sent now. */
  function sendWaiting(): void {
    // After a wait, a single file is sent at first. The others follow once the service has stored or refused
    // that file.
    const maxRunning = waitCount > 0 ? 1 : MAX_RUNNING_UPLOADS
    while (!hold && !isPaused && runningUploads.size < maxRunning) {
      const id = waitingIds.shift()
      if (id === undefined) break
      void sendUpload(id)
    }
    if (runningUploads.size > 0) return
    list.resetMeter()
    if (waitingIds.length === 0) resetWhenIdle()
  }

  /**
   * Called when nothing is left to send: ends waits and pauses, so that the next files are sent immediately.
   */
  function resetWhenIdle(): void {
    hold = null
    isPaused = false
    waitCount = 0
    reportState()
  }

  async function sendUpload(id: number): Promise<void> {
    const { job, interruptions } = list.get(id)!
    const controller = new AbortController()
    const { signal } = controller
    runningUploads.set(id, controller)
    list.change(id, { stage: 'running', sentBytes: 0, problem: null })
    try {
      const onProgress = (loaded: number) => list.recordProgress(id, loaded)
      list.change(id, outcomeOf(job, await parts.send(job, { signal, onProgress })))
      waitCount = 0
    } catch (error) {
      const failure = signal.aborted ? null : await classifyFailure(error, job.file, parts)
      // The upload may have been cancelled while `classifyFailure` was running.
      if (failure === null || signal.aborted) list.change(id, { stage: 'cancelled', sentBytes: 0 })
      else handleFailure(id, interruptions, failure)
    } finally {
      runningUploads.delete(id)
      sendWaiting()
    }
  }

  function handleFailure(id: number, interruptionsBefore: number, failure: TransferFailure): void {
    const interruptions = failure.kind === 'broken' ? interruptionsBefore + 1 : interruptionsBefore
    if (failure.kind === 'refused') waitCount = 0
    if (failure.kind === 'refused' || interruptions === MAX_ATTEMPTS) {
      const problem = failure.kind === 'refused' ? failure.problem : { cause: 'broken' as const }
      list.change(id, { stage: 'refused', sentBytes: 0, problem })
      return
    }
    // The upload is put at the end of the queue: a file that the service cannot store now must not block the
    // others.
    waitingIds.push(id)
    list.change(id, { stage: 'waiting', sentBytes: 0, interruptions })
    if (failure.kind === 'wait') wait(failure)
  }

  function wait({ reason, answer, retryAfter }: Extract<TransferFailure, { kind: 'wait' }>): void {
    if (!hold) waitCount++
    const pauseMs =
      retryAfter === null
        ? Math.min(CHECK_INTERVAL_MS * 2 ** (waitCount - 1), MAX_PAUSE_MS)
        : Math.min(Math.max(retryAfter, RETRY_AFTER_LIMITS.min), RETRY_AFTER_LIMITS.max)
    const nextAttemptAt = reason === 'busy' ? parts.now() + pauseMs : null
    if (hold && !outweighs({ reason, answer, nextAttemptAt }, hold)) return
    startHold({ reason, answer, nextAttemptAt }, reason === 'busy' ? pauseMs : CHECK_INTERVAL_MS)
  }

  function startHold(newHold: QueueHold, delayMs: number): void {
    hold = newHold
    reportState()
    // If the session has ended, `resumeAfterSignIn` ends the wait. In all other cases, `checkService` asks
    // the service after `delayMs`, and ends the wait if the service answers.
    if (newHold.reason !== 'signedOut') parts.schedule(() => void checkService(newHold), delayMs)
  }

  async function checkService(checkedHold: QueueHold): Promise<void> {
    if (hold !== checkedHold) return
    const isServiceReachable = await parts.isReachable()
    if (hold !== checkedHold) return
    if (isServiceReachable) endHold()
    else startHold({ reason: 'away', answer: null, nextAttemptAt: null }, CHECK_INTERVAL_MS)
  }

  function endHold(): void {
    hold = null
    reportState()
    sendWaiting()
  }

  function cancel(ids: readonly number[]): void {
    for (const id of ids) {
      if (list.get(id)?.stage === 'waiting') list.change(id, { stage: 'cancelled' })
      else runningUploads.get(id)?.abort()
    }
    waitingIds = waitingIds.filter(id => list.get(id)?.stage === 'waiting')
    sendWaiting()
  }

  return {
    sendWaiting,
    cancel,
    enqueue: (id: number) => waitingIds.push(id),
    setPaused(shouldPause: boolean) {
      isPaused = shouldPause
      reportState()
      sendWaiting()
    },
    tryNow() {
      if (hold && hold.reason !== 'signedOut') endHold()
    },
    resumeAfterSignIn() {
      if (hold?.reason === 'signedOut') endHold()
    },
  }
}

/**
 * Whether the next wait replaces the current one: it is known to last longer, or its reason is the end of the
 * session, which outweighs every other reason.
 */
const outweighs = (next: QueueHold, current: QueueHold) =>
  next.reason === 'signedOut' ||
  (next.nextAttemptAt ?? 0) > (current.nextAttemptAt ?? Number.POSITIVE_INFINITY)
