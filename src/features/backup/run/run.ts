/**
 * One backup run: reads a part of the earlier backup again, stores new contents and an archive at the first
 * target, and copies both to the second target and to the bucket, if these are set. At each target it removes
 * old archives and the contents that no archive names, and repairs damage with copies from the other targets.
 * If the second target or the bucket fails, the archive at the first target remains.
 */
import type { LostChangesDetector } from '../../../adapters/lost-changes.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { createFolderPlace, type FolderPlace } from '../places/folder-place.ts'
import { KEEP_ALL } from '../places/retention.ts'
import type { Targets } from '../places/targets.ts'
import type { ChecksumTable } from '../stock/checksum-table.ts'
import { prune, resolveSetAsideContents } from '../stock/prune.ts'
import { rereadDueParts } from '../stock/rereading.ts'
import { readContentSizes } from '../stock/stock-index.ts'
import { estimateArchiveBytes, missingBytes } from './backup.store.ts'
import { checkTargets, type TargetCheckParts, troubleAtSecondTarget } from './check-targets.ts'
import { createTargetCopier } from './copy-to-targets.ts'
import { type MakeArchiveParts, makeArchive, type NewArchive } from './make-archive.ts'
import { createProgressMeter, type ProgressMeter, type RunControls } from './meter.ts'
import { repairTargets, type UsedPlace } from './repair.ts'
import { createRunReport, type RunReport } from './run-report.ts'

export type RunParts = MakeArchiveParts &
  TargetCheckParts & { lostChanges: Pick<LostChangesDetector, 'find'> }

/**
 * Makes a backup and returns its report. Rejects if no archive can be made (usually with `BackupTrouble`), or
 * if the run is aborted. The report contains problems of the second target and of the bucket, and damage that
 * was found.
 */
export async function runBackup(
  parts: RunParts,
  targets: Targets,
  controls: RunControls,
): Promise<RunReport> {
  const { secondFolder, bucket } = targets
  checkTargets(targets)
  const isThinningPaused = (await parts.lostChanges.find()) !== null
  const retention = isThinningPaused ? KEEP_ALL : targets.retention
  const meter = createProgressMeter(controls)
  const firstPlace = createFolderPlace(targets.firstFolder, parts.newId)
  const contentSizes = await prepareFirstTarget(parts, firstPlace, meter)
  // The second target is checked before the long work begins; a problem with it is reported at the end.
  const secondPlace = secondFolder === null ? null : createFolderPlace(secondFolder, parts.newId)
  const secondTrouble = secondPlace && (await troubleAtSecondTarget(parts, targets, secondPlace))

  const rereadResult = await rereadDueParts(firstPlace, parts.now(), meter)
  for (const sha256 of rereadResult.damagedContents) contentSizes.delete(sha256)
  const newArchive = await makeArchive(parts, firstPlace, contentSizes, meter)
  const { name, copiedBytes } = newArchive
  const pruneResult = await prune(firstPlace, retention, name)

  const copier = createTargetCopier({ ...parts, firstPlace, newArchive, retention, meter })
  const outcomes: (UsedPlace | BackupTrouble)[] = []
  if (secondPlace) outcomes.push(secondTrouble ?? (await copier.copyToSecondTarget(secondPlace)))
  if (bucket) outcomes.push(await copier.copyToBucket(bucket))

  const usedPlaces: UsedPlace[] = [{ place: firstPlace, rereadResult, copiedBytes, pruneResult }]
  const troubles: BackupTrouble[] = newArchive.isComplete ? [] : [incompleteTrouble(newArchive)]
  for (const outcome of outcomes)
    if (outcome instanceof BackupTrouble) troubles.push(outcome)
    else usedPlaces.push(outcome)
  const repair = await repairTargets(usedPlaces, parts.now(), meter)
  return createRunReport(parts, targets, {
    newArchive,
    usedPlaces,
    troubles: [...troubles, ...repair.troubles],
    warnings: [...repair.warnings, ...(isThinningPaused ? (['thinning-paused'] as const) : [])],
  })
}

const incompleteTrouble = ({ missingFiles, alteredFiles, unusableFiles }: NewArchive) =>
  backupTrouble.incomplete(missingFiles, alteredFiles, unusableFiles)

/**
 * Prepares the first target and returns the sizes of the contents in its content store. Rejects if the target
 * cannot be used, or lacks space for this run.
 */
async function prepareFirstTarget(
  parts: RunParts,
  place: FolderPlace,
  meter: ProgressMeter,
): Promise<ChecksumTable> {
  const { name } = place
  if ((await parts.listArchives(name)) === null) throw backupTrouble.targetSilent(name)
  try {
    await place.prepare()
    await resolveSetAsideContents(place)
    const contentSizes = await readContentSizes(place)
    const { read: db } = parts.database
    const neededBytes =
      (await estimateArchiveBytes(db)) + (meter.onlyRows ? 0 : await missingBytes(db, contentSizes))
    const freeBytes = await place.freeBytes()
    if (freeBytes !== null && freeBytes < neededBytes)
      throw backupTrouble.targetFull(name, neededBytes, freeBytes)
    meter.setExpectedBytes(2 * neededBytes)
    return contentSizes
  } catch (error) {
    throw error instanceof BackupTrouble ? error : backupTrouble.targetUnusable(name, error)
  }
}
