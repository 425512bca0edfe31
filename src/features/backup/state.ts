/** The state of the backup: the current run, the last report, and the archives at the targets. */
import type { BackupReport, BackupState, BackupStep } from '../../contract/service/backup.ts'
import type { Database } from '../../database/database.ts'
import { newestFirst } from './archive/archive-name.ts'
import type { FoundArchive } from './places/place.ts'
import { foldersOf, type TargetNames } from './places/targets.ts'
import * as store from './run/backup.store.ts'
import type { RunParts } from './run/run.ts'
import { warningsAfter } from './run/warnings.ts'

interface StateParts extends Pick<RunParts, 'listArchives' | 'warningsFor'> {
  database: Pick<Database, 'read'>
  targets: TargetNames
}

export async function lastReport(parts: StateParts): Promise<BackupReport | null> {
  const last = await store.lastEnded(parts.database.read)
  return last && { ...last.report, orte: await placesFound(parts, last) }
}

/** Number of a run's targets that still have its archive, by name and length. */
async function placesFound({ targets, listArchives }: StateParts, { report, places }: store.EndedRun) {
  const names = places ?? targets.namesOf(targets.inForce()).slice(0, report.orte)
  const found = await Promise.all(names.map(name => listArchives(targets.folderOf(name))))
  return found.filter(archives =>
    archives?.some(({ name, bytes }) => name === report.archiv && bytes === report.bytes),
  ).length
}

export async function stateOf(parts: StateParts): Promise<BackupState> {
  const letzter = await lastReport(parts)
  const run = await store.openRun(parts.database.read)
  const chosen = parts.targets.inForce()
  const found = await Promise.all(foldersOf(chosen).map(parts.listArchives))
  return {
    laeuft: run !== null,
    fortschritt: run && {
      schritt: run.step as BackupStep,
      erledigt: run.done,
      gesamt: run.total,
      seit: run.started_at,
    },
    letzter,
    archive: together(found).map(archive =>
      // The last archive may be in folders that are no longer targets. Their number comes from the last
      // report, so that both lines on a page agree.
      archive.name === letzter?.archiv ? { ...archive, orte: letzter.orte } : archive,
    ),
    ...(await warningsAfter(found, parts, chosen)),
  }
}

/** Each archive once, with the number of targets that have it. */
function together(places: readonly (FoundArchive[] | null)[]): BackupState['archive'] {
  const found = new Map<string, { archive: FoundArchive; places: number }>()
  for (const archive of places.flatMap(archives => archives ?? []))
    found.set(archive.name, { archive, places: (found.get(archive.name)?.places ?? 0) + 1 })
  return [...found.values()]
    .sort((a, b) => newestFirst(a.archive, b.archive))
    .map(({ archive: { name, at, bytes, complete }, places }) => ({
      name,
      zeit: at,
      bytes,
      orte: places,
      vollstaendig: complete,
    }))
}
