/**
 * A run of the backup from its row to its report. Only one run exists at a time in all processes; its
 * progress and its report are in the database. The run of a process that died is reported as failed.
 */
import type { BackupReport, BackupStep } from '../../../contract/service/backup.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import type { FeatureParts } from '../../feature.ts'
import type { Notify } from '../../notify/notify.ts'
import type { Settings } from '../../settings/settings.ts'
import type { TargetNames, Targets } from '../places/targets.ts'
import * as store from './backup.store.ts'
import type { RunParts, RunWatch } from './run.ts'

const PROGRESS_EVERY = 1000

export interface ReportedRunParts
  extends Omit<RunParts, 'service'>,
    Pick<FeatureParts, 'coordination' | 'log'> {
  settings: Settings
  targets: TargetNames
  notify: Notify
  version: string
}

/**
 * Begins a run. `begun` resolves with the number of the run, or null when the task is held; `ended` resolves
 * when the report is written. `stopping` aborts the run.
 */
export function beginRun(parts: ReportedRunParts, stopping: AbortSignal, onlyList: boolean) {
  const { database, coordination, log, now } = parts
  const begun = Promise.withResolvers<number | null>()
  const work = coordination.exclusively('backup', async lost => {
    // This process holds the task now, so the process that held it before is gone. An earlier run without a
    // report has died, even if no process has noticed that yet.
    const before = await store.newestRun(database.read)
    if (before && before.report === null) await reportDead(parts, before.nr)
    const nr = await database.transaction(tx => store.beginRun(tx, now(), 'schreiben'))
    begun.resolve(nr)
    const signals = [withReason(lost, backupTrouble.lost()), withReason(stopping, backupTrouble.stopped())]
    await carryOut(parts, nr, { signal: AbortSignal.any(signals), onlyList })
  })
  work.then(done => done ?? begun.resolve(null), begun.reject)
  const ended = work.catch(error => log.error('the backup could not report', { cause: error }))
  return { begun: begun.promise, ended }
}

/** A signal that aborts together with `signal`, with `reason` as its reason. */
function withReason(signal: AbortSignal, reason: BackupTrouble): AbortSignal {
  if (signal.aborted) return AbortSignal.abort(reason)
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort(reason), { once: true })
  return controller.signal
}

async function carryOut(
  parts: ReportedRunParts,
  nr: number,
  order: Omit<RunWatch, 'onProgress'>,
): Promise<void> {
  const { settings, targets, version, log, now } = parts
  const chosen = targets.inForce()
  const service = { name: settings.current().DIENST, version }
  let report: BackupReport
  try {
    const watch = { ...order, onProgress: progressOf(parts, nr) }
    const { runBackup } = await import('./run.ts')
    report = { ...(await runBackup({ ...parts, service }, chosen, watch)), zeit: now() }
  } catch (error) {
    if (!(error instanceof BackupTrouble)) log.error('the backup failed', { cause: error })
    const trouble = error instanceof BackupTrouble ? error : backupTrouble.unexpected(error)
    report = failedReport(chosen, trouble, now())
  }
  await endRun(parts, nr, report, chosen)
  const { ok, archiv, bytes, fehler } = report
  // The outcome also reaches the starter of the run: through the job's own log line, the answer to the
  // waiting person, or the chat.
  const facts = { ok, archive: archiv, bytes, ...(fehler && { reason: fehler }) }
  log[ok ? 'info' : 'warn']('backup ended', facts)
}

function progressOf({ database, log, now }: ReportedRunParts, nr: number) {
  let saved = Number.NEGATIVE_INFINITY
  return (step: BackupStep, done: number, total: number) => {
    if (now() - saved < PROGRESS_EVERY) return
    saved = now()
    database
      .transaction(tx => store.noteProgress(tx, nr, { step, done, total }))
      .catch(error => log.warn('the progress of the backup could not be noted', { cause: error }))
  }
}

/**
 * Reports the newest run as failed if it has no report and no process works at it: such a run has died. The
 * order of the two questions matters. A run writes its report before it releases the task, so a run that
 * still has no report after `isHeld` has answered no will never get one.
 */
export async function reportDeadRun(parts: ReportedRunParts): Promise<void> {
  const run = await store.newestRun(parts.database.read)
  if (!run || run.report !== null || (await parts.coordination.isHeld('backup'))) return
  await reportDead(parts, run.nr)
}

async function reportDead(parts: ReportedRunParts, nr: number): Promise<void> {
  const chosen = parts.targets.inForce()
  await endRun(parts, nr, failedReport(chosen, backupTrouble.died(), parts.now()), chosen)
}

export const isOfDeadRun = ({ fehler_codes = [] }: BackupReport) =>
  fehler_codes.includes(backupTrouble.died().code)

const failedReport = ({ second }: Targets, { sentence, code }: BackupTrouble, at: number): BackupReport => ({
  ok: false,
  ...(second !== null && { zweit: true as const }),
  ...{ zeit: at, archiv: null, bytes: 0, orte: 0, warnungen: [], fehler: sentence, fehler_codes: [code] },
})

/**
 * Writes the report; it counts only if the run has no report yet. Only then notifications are sent: of every
 * failure, and of a success that follows a failure.
 */
async function endRun(
  { database, notify, targets }: ReportedRunParts,
  nr: number,
  report: BackupReport,
  chosen: Targets,
): Promise<void> {
  const places = targets.namesOf(chosen).slice(0, report.orte)
  if (!(await database.transaction(tx => store.endRun(tx, nr, report, places)))) return
  if (!report.ok) await notify.queue('sicherung', `Die Sicherung ist fehlgeschlagen. ${report.fehler}`)
  else if ((await store.lastEnded(database.read, nr))?.report.ok === false)
    await notify.queue('sicherung', `Die Sicherung gelingt wieder: ${report.archiv}.`)
}
