/** The report of the last run, with the number of targets where its archive is found now. */
import type { BackupReport } from '../../contract/service/backup.ts'
import type { Database } from '../../database/database.ts'
import type { PlaceInspector } from './places/place-inspector.ts'
import type { TargetNames } from './places/targets.ts'
import * as store from './run/backup.store.ts'

export interface LastReportParts extends Pick<PlaceInspector, 'listArchives'> {
  database: Pick<Database, 'read'>
  targets: TargetNames
}

export async function lastReport(parts: LastReportParts): Promise<BackupReport | null> {
  const lastRun = await store.lastEndedRun(parts.database.read)
  return lastRun && { ...lastRun.report, orte: await countTargetsWithArchive(parts, lastRun) }
}

/** Number of targets of a run that still have its archive: an archive with the same name and length. */
async function countTargetsWithArchive(
  { targets, listArchives }: LastReportParts,
  { report, places }: store.EndedRun,
) {
  const placeNames = places ?? targets.namesOf(targets.current()).slice(0, report.orte)
  const listings = await Promise.all(placeNames.map(name => listArchives(targets.folderOf(name))))
  return listings.filter(archives =>
    archives?.some(({ name, bytes }) => name === report.archiv && bytes === report.bytes),
  ).length
}
