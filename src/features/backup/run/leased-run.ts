/** Executes a run under the lease `backup`, so that only one run is in progress across all processes. */
import type { BackupReport, BackupStep } from '../../../contract/service/backup.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { knownFailure } from '../../../http/answers/render-error.ts'
import type { FeatureParts } from '../../feature.ts'
import type { Settings } from '../../settings/settings.ts'
import * as store from './backup.store.ts'
import { type EndRunParts, endRun, reportDeadRun } from './end-run.ts'
import type { RunControls } from './meter.ts'
import type { RunParts } from './run.ts'
import { createFailureReport } from './run-report.ts'

/** Minimum milliseconds between two writes of the progress to the database. */
const PROGRESS_INTERVAL = 1000

export type LeasedRunParts = EndRunParts &
  Omit<RunParts, 'service'> &
  Pick<FeatureParts, 'log'> & { settings: Settings; version: string }

export type RunOptions = Omit<RunControls, 'onProgress'>

/**
 * Begins a run, unless the lease is held. `whenBegun` resolves with the number of the run, or with null if
 * the lease is held. `whenEnded` resolves when the run has written its report and released the lease, or at
 * once if no run began; it never rejects. The signal in `options` aborts the run.
 */
export function beginRun(parts: LeasedRunParts, options: RunOptions) {
  const { database, coordination, log, now } = parts
  const deferredRunNr = Promise.withResolvers<number | null>()
  const leasedRun = coordination.exclusively('backup', async leaseSignal => {
    // This process holds the lease, so no other run is in progress. If the newest run has no report, its
    // process has died or has lost the lease.
    await reportDeadRun(parts, async () => false)
    const runNr = await database.transaction(tx => store.beginRun(tx, now(), 'schreiben'))
    deferredRunNr.resolve(runNr)
    const leaseController = new AbortController()
    const abortRun = () => leaseController.abort(backupTrouble.lost())
    leaseSignal.addEventListener('abort', abortRun, { once: true })
    if (leaseSignal.aborted) abortRun()
    await executeRun(parts, runNr, {
      ...options,
      signal: AbortSignal.any([leaseController.signal, options.signal]),
    })
  })
  leasedRun.then(runResult => runResult ?? deferredRunNr.resolve(null), deferredRunNr.reject)
  const whenEnded = leasedRun.catch(error => log.error('the backup could not report', { cause: error }))
  return { whenBegun: deferredRunNr.promise, whenEnded }
}

async function executeRun(parts: LeasedRunParts, runNr: number, options: RunOptions): Promise<void> {
  const { settings, targets, version, log, now } = parts
  const currentTargets = targets.current()
  const service = { name: settings.current().DIENST, version }
  let report: BackupReport
  try {
    const controls = { ...options, onProgress: createProgressRecorder(parts, runNr) }
    const { runBackup } = await import('./run.ts')
    report = { ...(await runBackup({ ...parts, service }, currentTargets, controls)), zeit: now() }
  } catch (error) {
    if (!(error instanceof BackupTrouble)) log.error('the backup failed', { cause: error })
    const knownTrouble = error instanceof BackupTrouble ? error : knownFailure(error)
    report = createFailureReport(currentTargets, knownTrouble ?? backupTrouble.unexpected(error), now())
  }
  await endRun(parts, runNr, report, currentTargets)
  const { ok, archiv, bytes, fehler } = report
  // A failure is logged only as a warning here, because the log line of the job, the answer to the request,
  // or a chat message reports it as well.
  const logFields = { ok, archive: archiv, bytes, ...(fehler && { reason: fehler }) }
  log[ok ? 'info' : 'warn']('backup ended', logFields)
}

function createProgressRecorder({ database, log, now }: LeasedRunParts, runNr: number) {
  let savedAt = Number.NEGATIVE_INFINITY
  return (step: BackupStep, doneBytes: number, totalBytes: number) => {
    if (now() - savedAt < PROGRESS_INTERVAL) return
    savedAt = now()
    database
      .transaction(tx => store.recordProgress(tx, runNr, { step, done: doneBytes, total: totalBytes }))
      .catch(error => log.warn('the progress of the backup could not be noted', { cause: error }))
  }
}
