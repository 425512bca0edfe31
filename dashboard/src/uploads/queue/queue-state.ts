/** The state of every upload, and the totals of all uploads. */

import type { FileAnswer } from '../../../../src/contract/files/library.ts'
import type { DashUploadAnswer } from '../../../../src/contract/upload/ingest.ts'
import { remainingTime } from '../../ui/charts/meter.ts'
import type { OmissionReason, UploadJob } from '../plan/plan.ts'

/**
 * The stage of an upload. `omitted`: it was not sent because of its size or name, or because the user skipped
 * it.
 */
export type UploadStage = 'waiting' | 'running' | 'stored' | 'refused' | 'cancelled' | 'omitted'

/**
 * Why a file was not stored: the sentence with which the service refused it, or a reason that the dashboard
 * found.
 */
export type UploadProblem =
  | { sentence: string; code?: string | undefined }
  | { cause: 'unreadable' | 'broken' | 'unexpected' }
  | OmissionReason

export interface UploadItem {
  readonly id: number
  /**
   * The number of the run to which the upload belongs. Uploads that are added while others wait or are being
   * sent join their run; otherwise a new run begins, whose progress starts at 0.
   */
  readonly run: number
  readonly job: UploadJob
  readonly stage: UploadStage
  /** Number of bytes of the file that were sent; 0 after a refusal or a cancellation. */
  readonly sentBytes: number
  /** Number of times that the transfer broke although the service could be reached. */
  readonly interruptions: number
  readonly problem: UploadProblem | null
  /** The stored file, or the stored entries of an archive. */
  readonly storedFiles: readonly FileAnswer[]
  /** The refused entries of an archive. */
  readonly refusedEntries: DashUploadAnswer['abgelehnt']
}

/** A wait during which no further file is sent, and its reason. */
export interface QueueHold {
  /**
   * `away`: the service does not answer. `busy`: an answer says that it accepts no files for now.
   * `signedOut`: the session has ended.
   */
  readonly reason: 'away' | 'busy' | 'signedOut'
  /** The service's sentence, or the status of a proxy's answer; null if neither is known. */
  readonly answer: { sentence: string; code?: string | undefined } | { status: number } | null
  /** The time of the next attempt, by the clock of the queue (`now`); null if unknown. */
  readonly nextAttemptAt: number | null
}

/** Whether the queue sends no further file at the moment, and why. */
export interface SenderState {
  readonly hold: QueueHold | null
  /** Whether the user has paused the queue. */
  readonly isPaused: boolean
}

/** The state of a queue that neither waits nor is paused. */
export const UNBLOCKED_SENDER: SenderState = { hold: null, isPaused: false }

export interface UploadsState extends SenderState {
  readonly items: readonly UploadItem[]
  readonly run: number
  /** Number of uploads waiting or running. */
  readonly activeCount: number
  readonly storedCount: number
  /**
   * Numbers of uploads in the current run: `stored` counts the stored ones, `total` all except the omitted
   * ones.
   */
  readonly currentRun: { readonly stored: number; readonly total: number }
  /** Number of uploads that were omitted, or refused as a whole or in part. */
  readonly problemCount: number
  /** Bytes of the current run, without those of cancelled, refused and omitted files. */
  readonly bytes: { readonly sent: number; readonly total: number }
  /** Bytes per second; null if unknown. */
  readonly speed: number | null
  /** Milliseconds until the current run is likely to be complete; null if unknown. */
  readonly remainingMs: number | null
}

export const isActive = ({ stage }: UploadItem) => stage === 'waiting' || stage === 'running'

export const hasProblem = ({ stage, refusedEntries }: UploadItem) =>
  stage === 'refused' || stage === 'omitted' || refusedEntries.length > 0

/** The error code of the service for a path at which there is already a file. */
const PATH_TAKEN_CODE = 'path-taken'

/**
 * Whether overwriting would help: the library has a file at the path of this upload, or at that of an entry
 * of the archive.
 */
export const canOverwrite = ({ problem, refusedEntries }: UploadItem) =>
  (problem !== null && 'code' in problem && problem.code === PATH_TAKEN_CODE) ||
  refusedEntries.some(({ code }) => code === PATH_TAKEN_CODE)

export const canRetry = (item: UploadItem) =>
  item.stage === 'cancelled' || (item.stage !== 'omitted' && hasProblem(item))

/**
 * The state of an upload after the answer of the service, which may refuse the file or entries of the
 * archive.
 */
export function outcomeOf(job: UploadJob, { gespeichert, abgelehnt }: DashUploadAnswer): Partial<UploadItem> {
  const [refusedEntry] = abgelehnt
  if (refusedEntry && !job.isZipArchive)
    return {
      stage: 'refused',
      sentBytes: 0,
      problem: { sentence: refusedEntry.grund, code: refusedEntry.code },
    }
  return { stage: 'stored', sentBytes: job.file.size, storedFiles: gespeichert, refusedEntries: abgelehnt }
}

interface RunState {
  run: number
  speed: number | null
  sender: SenderState
}

/** The state of all uploads, with the totals that the panel shows. */
export function uploadsStateOf(items: readonly UploadItem[], { run, speed, sender }: RunState): UploadsState {
  let activeCount = 0
  let storedCount = 0
  let problemCount = 0
  let sentBytes = 0
  let totalBytes = 0
  const currentRun = { stored: 0, total: 0 }
  for (const item of items) {
    if (isActive(item)) activeCount++
    if (item.stage === 'stored') storedCount++
    if (hasProblem(item)) problemCount++
    if (item.run !== run || item.stage === 'omitted') continue
    currentRun.total++
    if (item.stage === 'stored') currentRun.stored++
    // Cancelled and refused files do not count, or the total would never be reached.
    if (!isActive(item) && item.stage !== 'stored') continue
    sentBytes += item.sentBytes
    totalBytes += item.job.file.size
  }
  const speedAndRemaining =
    activeCount > 0
      ? { speed, remainingMs: remainingTime(totalBytes - sentBytes, speed) }
      : { speed: null, remainingMs: null }
  return {
    items,
    run,
    activeCount,
    storedCount,
    currentRun,
    problemCount,
    bytes: { sent: sentBytes, total: totalBytes },
    ...speedAndRemaining,
    ...sender,
  }
}

export const NO_UPLOADS = uploadsStateOf([], { run: 0, speed: null, sender: UNBLOCKED_SENDER })
