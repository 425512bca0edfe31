/**
 * Rehearses restores, for the daily job and the command. Each rehearsal runs on a thread of its own. Its
 * report is stored in the database.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { entryPoint } from '../../base/program-files.ts'
import type { RehearsalReport } from '../../contract/service/backup.ts'
import { DAY, SECOND } from '../../contract/values/units.ts'
import { BackupTrouble, rehearsalTrouble } from '../../errors/errors.ts'
import { longPath } from '../../storage/local/platform.ts'
import { removeTree } from '../../storage/local/remove-tree.ts'
import type { Backup } from '../backup/backup.ts'
import type { BucketTarget } from '../backup/bucket/bucket-target.ts'
import { addRehearsal, lastRehearsal } from '../backup/run/rehearsal.store.ts'
import type { FeatureParts } from '../feature.ts'
import type { Notifier } from '../notify/notify.ts'
import type { Settings } from '../settings/settings.ts'
import type { RehearsalResult } from './rehearse.ts'

/** Minimum milliseconds from a successful rehearsal to the next one. */
const REHEARSAL_INTERVAL = 30 * DAY
/**
 * Minimum milliseconds from a failed rehearsal to the next one: less than a day, so that the next daily job
 * tries again.
 */
const RETRY_INTERVAL = DAY / 2
/**
 * Milliseconds that the thread of a stopped rehearsal gets to close its files. Then it is terminated, because
 * the disk may not answer.
 */
const STOP_TIMEOUT = 5 * SECOND

/** The message with which a rehearsal begins on its thread. */
export interface RehearsalRequest {
  /** The backup target that has the archives: the path of a folder, or a bucket. */
  place: string | BucketTarget
  /** Names of the archives at the target, newest first. */
  names: readonly string[]
  /** Path of an empty folder, into which the archive is restored. */
  scratch: string
}

export type RehearsalMessage =
  | { kind: 'progress'; doneBytes: number; totalBytes: number }
  | { kind: 'result'; result: RehearsalResult }
  | {
      kind: 'trouble'
      sentence: string
      english: string
      code: string
      stack: string | undefined
    }

export type OnProgress = (doneBytes: number, totalBytes: number) => void

export interface RehearsalParts extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'now' | 'log'> {
  backup: Pick<Backup, 'newestArchives'>
  settings: Settings
  notify: Notifier
}

export function createRehearsal(parts: RehearsalParts, runRehearsal = runOnThread) {
  const { database, backup, settings, now, log } = parts

  /**
   * Rehearses now. Returns the report, and its error in English (empty if the rehearsal succeeded); rejects
   * if `signal` aborts. The caller must hold the lease `rehearsal`.
   */
  async function rehearse(signal: AbortSignal, onProgress: OnProgress = () => {}) {
    const newestArchives = await backup.newestArchives()
    const outcome = newestArchives
      ? await withScratchFolder(parts, scratch =>
          runRehearsal({ ...newestArchives, scratch }, signal, onProgress),
        ).catch(troubleOf)
      : rehearsalTrouble.noArchive()
    signal.throwIfAborted()
    const report = reportOf(outcome, now(), newestArchives?.names[0] ?? null)
    const previousReport = await lastRehearsal(database.read)
    await database.transaction(tx => addRehearsal(tx, report))
    await reportOutcome(parts, report, previousReport)
    return { report, english: outcome instanceof BackupTrouble ? outcome.english : '' }

    function troubleOf(error: unknown): BackupTrouble {
      if (error instanceof BackupTrouble) return error
      if (!signal.aborted) log.error('the rehearsed restore failed', { cause: error })
      return rehearsalTrouble.unexpected(error)
    }
  }

  return {
    rehearse,
    /** Rehearses if a rehearsal is due, for the daily job. Rejects if the rehearsal fails. */
    async rehearseIfDue(signal: AbortSignal): Promise<void> {
      if (settings.current().SICHERUNG_PROBE === 'aus') return
      const lastReport = await lastRehearsal(database.read)
      const age = lastReport === null ? Number.POSITIVE_INFINITY : now() - lastReport.zeit
      // A report with a date in the future was written while the clock was ahead, and does not count.
      if (age >= 0 && age < (lastReport!.ok ? REHEARSAL_INTERVAL : RETRY_INTERVAL)) return
      // Before the first backup there is nothing to rehearse. The health check at `/status` reports a missing
      // backup.
      if ((await backup.newestArchives()) === null) return
      const { ok, fehler } = (await rehearse(signal)).report
      if (!ok) throw new BackupTrouble(fehler ?? '')
    },
  }
}

function reportOf(
  outcome: RehearsalResult | BackupTrouble,
  zeit: number,
  archiv: string | null,
): RehearsalReport {
  if (!(outcome instanceof BackupTrouble)) return { ok: true, zeit, ...outcome }
  const { sentence, code } = outcome
  const emptyFigures = { ort: null, zeilen: 0, dateien: 0, stichprobe: 0 }
  return { ok: false, zeit, archiv, ...emptyFigures, fehler: sentence, fehler_codes: [code] }
}

/** Logs the outcome. Queues a chat message about the first failure, and about the first success after it. */
async function reportOutcome(
  { notify, log }: RehearsalParts,
  { ok, archiv, fehler, stichprobe, zeilen }: RehearsalReport,
  previousReport: RehearsalReport | null,
): Promise<void> {
  const logFields = {
    ok,
    archive: archiv,
    rows: zeilen,
    contents: stichprobe,
    ...(fehler && { reason: fehler }),
  }
  log[ok ? 'info' : 'warn']('rehearsed restore ended', logFields)
  if (!ok && previousReport?.ok !== false)
    await notify.queue('sicherung', `Die Probe der Wiederherstellung ist misslungen. ${fehler}`)
  if (ok && previousReport?.ok === false)
    await notify.queue('sicherung', `Die Probe der Wiederherstellung gelingt wieder: ${archiv}.`)
}

/**
 * Runs `action` with a new folder in the staging area of this process, and removes the folder afterwards. If
 * the process dies, a later start removes the folder.
 */
async function withScratchFolder<T>(
  { storage, newId }: Pick<RehearsalParts, 'storage' | 'newId'>,
  action: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(storage.scratch, `probe-${newId()}`)
  await mkdir(longPath(folder))
  try {
    return await action(folder)
  } finally {
    // A thread that could not be stopped may still write here; its files are removed together with the
    // staging area.
    await removeTree(folder).catch(() => {})
  }
}

function runOnThread(
  request: RehearsalRequest,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<RehearsalResult> {
  const { promise, resolve, reject } = Promise.withResolvers<RehearsalResult>()
  const worker = new Worker(entryPoint('rehearsal').href)
  worker.onmessage = ({ data }: MessageEvent<RehearsalMessage>) => {
    if (data.kind === 'progress') return onProgress(data.doneBytes, data.totalBytes)
    if (data.kind === 'result') return resolve(data.result)
    reject(new BackupTrouble(data.sentence, { cause: data.stack }, data.code, data.english))
  }
  worker.onerror = ({ message }) => reject(new Error(`the thread of the rehearsal was lost: ${message}`))
  let timer: Timer | undefined
  const stop = () => {
    worker.postMessage('stop')
    timer = setTimeout(() => reject(rehearsalTrouble.stopped()), STOP_TIMEOUT)
  }
  signal.addEventListener('abort', stop, { once: true })
  worker.postMessage(request)
  if (signal.aborted) stop()
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    worker.terminate()
  })
}
