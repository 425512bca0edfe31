/**
 * Ends a run: writes its report, once, and queues messages about it. If the process of a run has died, the
 * next process that looks for such a run reports it as failed.
 */
import type { BackupReport } from '../../../contract/service/backup.ts'
import { hasRepairedWarning, REPAIRED_WARNING, WARNINGS } from '../../../contract/service/warnings.ts'
import { backupTrouble } from '../../../errors/errors.ts'
import type { FeatureParts } from '../../feature.ts'
import type { Notifier } from '../../notify/notify.ts'
import { type TargetNames, type Targets, targetNamesOf } from '../places/targets.ts'
import * as store from './backup.store.ts'
import { createFailureReport } from './run-report.ts'

export interface EndRunParts extends Pick<FeatureParts, 'database' | 'coordination' | 'now'> {
  notify: Notifier
  targets: TargetNames
  /** Called when a run has ended, before its report is written. */
  onRunEnded: () => void
}

/**
 * Reports the newest run as failed if it has no report and no process works on it. The run must be read
 * before the lease is checked, so that it cannot have begun after this check. If nobody holds the lease, the
 * process of the run has died, or the run has written its report after it was read here; `endRun` does not
 * replace that report.
 */
export async function reportDeadRun(
  parts: EndRunParts,
  isLeaseHeld = () => parts.coordination.isHeld('backup'),
): Promise<void> {
  const run = await store.findOpenRun(parts.database.read)
  if (!run || (await isLeaseHeld())) return
  const currentTargets = parts.targets.current()
  await endRun(
    parts,
    run.nr,
    createFailureReport(currentTargets, backupTrouble.died(), parts.now()),
    currentTargets,
  )
}

/**
 * Writes the report and queues messages, unless the run already has a report. There is a message for a
 * failure, for the first success after a failure, and for a success that repaired damage.
 */
export async function endRun(
  { database, notify, targets, onRunEnded }: EndRunParts,
  runNr: number,
  report: BackupReport,
  currentTargets: Targets,
): Promise<void> {
  const usedNames = new Set(report.plaetze?.map(({ ort }) => ort))
  const placeNames = targetNamesOf(currentTargets)
  const places = targets.namesOf(currentTargets).filter((_, index) => usedNames.has(placeNames[index]!))
  onRunEnded()
  if (!(await database.transaction(tx => store.endRun(tx, runNr, report, places)))) return
  if (!report.ok) await notify.queue('sicherung', `Die Sicherung ist fehlgeschlagen. ${report.fehler}`)
  else if ((await store.lastEndedRun(database.read, runNr))?.report.ok === false)
    await notify.queue('sicherung', `Die Sicherung gelingt wieder: ${report.archiv}.`)
  if (report.ok && hasRepairedWarning(report)) await notify.queue('sicherung', WARNINGS[REPAIRED_WARNING])
}
