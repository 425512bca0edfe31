/**
 * The state of the backup: the current run, the last report, the targets and their archives, the last
 * rehearsed restore, and warnings.
 */
import type { BackupState, BackupStep } from '../../contract/service/backup.ts'
import { newestFirst } from './archive/archive-name.ts'
import { type LastReportParts, lastReport } from './last-report.ts'
import type { FoundArchive } from './places/place.ts'
import type { PlaceInspector } from './places/place-inspector.ts'
import { KEEP_ALL, keepReasons } from './places/retention.ts'
import { warningFields } from './places/target-warnings.ts'
import { foldersOf, targetNamesOf } from './places/targets.ts'
import * as store from './run/backup.store.ts'
import { lastRehearsal } from './run/rehearsal.store.ts'
import type { RunParts } from './run/run.ts'
import { spaceWarnings } from './space-outlook.ts'

interface StateParts extends LastReportParts, Pick<RunParts, 'warningsFor' | 'lostChanges'>, PlaceInspector {}

export async function readBackupState(parts: StateParts): Promise<BackupState> {
  const report = await lastReport(parts)
  const run = await store.findOpenRun(parts.database.read)
  const currentTargets = parts.targets.current()
  const places = await inspectPlaces(parts, targetNamesOf(currentTargets))
  const listings = places.map(({ archives }) => archives)
  const archives = mergeArchives(listings)
  const reasons = keepReasons(
    archives.map(({ archive }) => archive),
    (await parts.lostChanges.find()) === null ? currentTargets.retention : KEEP_ALL,
  )
  return {
    laeuft: run !== null,
    fortschritt: run && {
      schritt: run.step as BackupStep,
      erledigt: run.done,
      gesamt: run.total,
      seit: run.started_at,
    },
    letzter: report,
    archive: archives.map(({ archive, placeCount }) => ({
      name: archive.name,
      zeit: archive.createdAt,
      bytes: archive.bytes,
      // The last archive may also be in folders that are no longer targets. Its number of targets is taken
      // from the last report, so that the list of archives and the last report show the same number.
      orte: archive.name === report?.archiv ? report.orte : placeCount,
      vollstaendig: archive.isComplete,
      gruende: reasons.get(archive) ?? [],
    })),
    plaetze: places.map(({ folder, freeBytes }) => ({
      ort: folder,
      frei: freeBytes,
      bytes: report?.plaetze?.find(({ ort }) => ort === folder)?.bytes ?? null,
    })),
    probe: await lastRehearsal(parts.database.read),
    ...(await warningFields(
      listings.slice(0, foldersOf(currentTargets).length),
      parts,
      currentTargets,
      await spaceWarnings(parts.database.read, places),
    )),
  }
}

/**
 * The archives and the free bytes of each target (a folder or a bucket). Both are null if the target did not
 * answer. `isUsed`: whether the target has archives, or did not answer.
 */
export const inspectPlaces = ({ inspect }: PlaceInspector, places: readonly string[]) =>
  Promise.all(
    places.map(async folder => {
      const { archives, freeBytes } = (await inspect(folder)) ?? { archives: null, freeBytes: null }
      return { folder, archives, freeBytes, isUsed: archives?.length !== 0 }
    }),
  )

/** Lists each archive once, with the number of targets that have it; newest first. */
function mergeArchives(listings: readonly (FoundArchive[] | null)[]) {
  const archivesByName = new Map<string, { archive: FoundArchive; placeCount: number }>()
  for (const archive of listings.flatMap(archives => archives ?? []))
    archivesByName.set(archive.name, {
      archive,
      placeCount: (archivesByName.get(archive.name)?.placeCount ?? 0) + 1,
    })
  return [...archivesByName.values()].sort((a, b) => newestFirst(a.archive, b.archive))
}
