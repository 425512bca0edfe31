/** The state of every upload, and the totals of all uploads. */

import type { FileAnswer } from '../../../../src/contract/files/library.ts'
import type { DashUploadAnswer } from '../../../../src/contract/upload/ingest.ts'
import { remainingTime } from '../../ui/charts/meter.ts'
import type { Omission, UploadJob } from '../plan/plan.ts'

/**
 * The stage of an upload. `omitted`: it was not sent because of its size or name, or because the user skipped
 * it.
 */
export type Stage = 'waiting' | 'running' | 'stored' | 'refused' | 'cancelled' | 'omitted'

/** Why a file was not stored: the service's sentence, or a local reason. */
export type Problem =
  | { sentence: string; code?: string | undefined }
  | { cause: 'unreadable' | 'broken' | 'unexpected' }
  | Omission

export interface UploadItem {
  readonly id: number
  /**
   * The number of the run to which the upload belongs. Uploads that are added while others wait or are being
   * sent join their run; otherwise a new run begins, whose progress starts at 0.
   */
  readonly run: number
  readonly job: UploadJob
  readonly stage: Stage
  /** Number of bytes of the file that were sent. */
  readonly sent: number
  /** Number of times that the transfer broke although the service could be reached. */
  readonly interruptions: number
  readonly problem: Problem | null
  /** The stored file, or the stored entries of an archive. */
  readonly stored: readonly FileAnswer[]
  /** The refused entries of an archive. */
  readonly refused: DashUploadAnswer['abgelehnt']
}

/** A wait during which no further file is sent, and its reason. */
export interface Hold {
  /** `away`: the service does not answer. `busy`: it asks to wait. `signedOut`: the session has ended. */
  readonly why: 'away' | 'busy' | 'signedOut'
  /** The service's sentence, or the status of a proxy's answer; null if neither is known. */
  readonly answer: { sentence: string; code?: string | undefined } | { status: number } | null
  /** The time of the next attempt, by the clock of the queue (`now`); null if unknown. */
  readonly until: number | null
}

/** Whether the queue sends nothing at the moment, and why. */
export interface SenderState {
  readonly hold: Hold | null
  /** Whether the user has paused the queue. */
  readonly isPaused: boolean
}

/** The state of a queue that neither waits nor is paused. */
export const UNBLOCKED_SENDER: SenderState = { hold: null, isPaused: false }

export interface UploadsState extends SenderState {
  readonly items: readonly UploadItem[]
  readonly run: number
  /** Number of uploads waiting or running. */
  readonly active: number
  readonly stored: number
  /** Numbers of uploads in the current run: those stored, and all except the omitted ones. */
  readonly current: { readonly stored: number; readonly total: number }
  /** Number of uploads that were omitted, or refused as a whole or in part. */
  readonly problems: number
  /** Bytes of the current run, without those of cancelled, refused and omitted files. */
  readonly bytes: { readonly sent: number; readonly total: number }
  /** Bytes per second; null if unknown. */
  readonly speed: number | null
  /** Milliseconds until the current run is likely to be complete; null if unknown. */
  readonly remaining: number | null
}

export const isActive = ({ stage }: UploadItem) => stage === 'waiting' || stage === 'running'

export const isProblem = ({ stage, refused }: UploadItem) =>
  stage === 'refused' || stage === 'omitted' || refused.length > 0

/** The error code of the service for a file at whose path there is another file already. */
const PATH_TAKEN = 'path-taken'

/**
 * Whether overwriting would help: the library has a file at the path of this upload, or at that of an entry
 * of the archive.
 */
export const canOverwrite = ({ problem, refused }: UploadItem) =>
  (problem !== null && 'code' in problem && problem.code === PATH_TAKEN) ||
  refused.some(({ code }) => code === PATH_TAKEN)

export const canRetry = (item: UploadItem) =>
  item.stage === 'cancelled' || (item.stage !== 'omitted' && isProblem(item))

/** The state of an upload after its answer, which may have refused the file or entries of the archive. */
export function outcomeOf(job: UploadJob, { gespeichert, abgelehnt }: DashUploadAnswer): Partial<UploadItem> {
  const [refused] = abgelehnt
  if (refused && !job.archive)
    return { stage: 'refused', sent: 0, problem: { sentence: refused.grund, code: refused.code } }
  return { stage: 'stored', sent: job.file.size, stored: gespeichert, refused: abgelehnt }
}

interface RunState {
  run: number
  speed: number | null
  sender: SenderState
}

/** The state of all uploads, with the totals that the panel shows. */
export function uploadsStateOf(items: readonly UploadItem[], { run, speed, sender }: RunState): UploadsState {
  let active = 0
  let stored = 0
  let problems = 0
  let sent = 0
  let total = 0
  const current = { stored: 0, total: 0 }
  for (const item of items) {
    if (isActive(item)) active++
    if (item.stage === 'stored') stored++
    if (isProblem(item)) problems++
    if (item.run !== run || item.stage === 'omitted') continue
    current.total++
    if (item.stage === 'stored') current.stored++
    // Cancelled and refused files do not count, or the total would never be reached.
    if (!isActive(item) && item.stage !== 'stored') continue
    sent += item.sent
    total += item.job.file.size
  }
  const speedAndRemaining =
    active > 0 ? { speed, remaining: remainingTime(total - sent, speed) } : { speed: null, remaining: null }
  return {
    items,
    run,
    active,
    stored,
    current,
    problems,
    bytes: { sent, total },
    ...speedAndRemaining,
    ...sender,
  }
}

export const NO_UPLOADS = uploadsStateOf([], { run: 0, speed: null, sender: UNBLOCKED_SENDER })
