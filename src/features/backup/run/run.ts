/**
 * One backup run: reads a part of the earlier backup again, stores new contents and an archive at the first
 * target, and copies both to the second target and to the bucket, if these are set. At each target it removes
 * old archives and the contents that no archive names, and repairs damage with copies from the other targets.
 * If the second target or the bucket fails, the archive at the first target remains.
 */
import type { LostChangesDetector } from '../../../adapters/lost-changes.ts'
import { isSystemError } from '../../../base/error-code.ts'
import type { BackupReport } from '../../../contract/service/backup.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import type { BucketTarget } from '../bucket/bucket-target.ts'
import { createFolderPlace, type FolderPlace } from '../places/folder-place.ts'
import type { Place } from '../places/place.ts'
import { KEEP_ALL } from '../places/retention.ts'
import { warningFields } from '../places/target-warnings.ts'
import { foldersOf, type Targets } from '../places/targets.ts'
import type { ChecksumTable } from '../stock/checksum-table.ts'
import { prune, resolveSetAside } from '../stock/prune.ts'
import { rereadDueParts } from '../stock/rereading.ts'
import { readIndex } from '../stock/stock-index.ts'
import { estimateArchiveBytes, missingBytes } from './backup.store.ts'
import { checkTargets, type TargetParts, troubleAtSecondTarget } from './check-targets.ts'
import { type CopyArchiveOptions, copyArchive } from './copy-archive.ts'
import { type MakeArchiveParts, makeArchive } from './make-archive.ts'
import { createMeter, type Meter, type RunControls } from './meter.ts'
import { repairAll, type UsedPlace } from './repair.ts'

export type RunParts = MakeArchiveParts & TargetParts & { lostChanges: Pick<LostChangesDetector, 'find'> }

export type RunReport = Omit<BackupReport, 'zeit'>

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
  const { secondFolder } = targets
  checkTargets(targets)
  const isThinningPaused = (await parts.lostChanges.find()) !== null
  const retention = isThinningPaused ? KEEP_ALL : targets.retention
  const meter = createMeter(controls)
  const firstPlace = createFolderPlace(targets.firstFolder, parts.newId)
  const contentSizes = await prepareFirstTarget(parts, firstPlace, meter)
  // The second target is checked before the long work begins; a problem with it is reported at the end.
  const secondPlace = secondFolder === null ? null : createFolderPlace(secondFolder, parts.newId)
  let secondTrouble = secondPlace && (await troubleAtSecondTarget(parts, targets, secondPlace))

  const rereadResult = await rereadDueParts(firstPlace, parts.now(), meter)
  for (const sha256 of rereadResult.damagedContents) contentSizes.delete(sha256)
  const newArchive = await makeArchive(parts, firstPlace, contentSizes, meter)
  const usedPlaces: UsedPlace[] = [
    {
      place: firstPlace,
      rereadResult,
      copiedBytes: newArchive.copiedBytes,
      pruneResult: await prune(firstPlace, retention, newArchive.name),
    },
  ]
  const troubles: BackupTrouble[] = []
  if (!newArchive.isComplete)
    troubles.push(
      backupTrouble.incomplete(newArchive.missingFiles, newArchive.alteredFiles, newArchive.unusableFiles),
    )
  if (secondPlace) {
    secondTrouble ??= await copyToSecondTarget(secondPlace)
    if (secondTrouble) troubles.push(secondTrouble)
  }

  if (targets.bucket) {
    const trouble = await copyToBucket(targets.bucket)
    if (trouble) troubles.push(trouble)
  }

  async function copyToSecondTarget(place: FolderPlace): Promise<BackupTrouble | null> {
    meter.beginStep('zweitziel')
    return copyTo(place, backupTrouble.copyDiffers)
  }

  async function copyToBucket(target: BucketTarget): Promise<BackupTrouble | null> {
    meter.beginStep('bucket')
    const { storage, newId, now } = parts
    const options = { target, scratch: storage.scratch, newId, now, signal: meter.signal, createKey: true }
    try {
      // The encryption is loaded only when it is needed: it takes some megabytes, and few instances have a
      // bucket.
      const { openBucketPlace } = await import('../bucket/bucket-place.ts')
      const place = await openBucketPlace(options)
      await place.prepare()
      return await copyTo(place, backupTrouble.bucketDiffers, await withArchivesFrom(firstPlace, place))
    } catch (error) {
      meter.signal.throwIfAborted()
      if (error instanceof BackupTrouble) return error
      throw error
    }
  }

  /**
   * Copies the new archive to the target and removes old archives there. Returns null if that succeeded,
   * otherwise the error for the report; rethrows unexpected errors. `placeToPrune`: the same target, but its
   * archives may be read from a nearer target.
   */
  async function copyTo(
    place: Place,
    createMismatchError: CopyArchiveOptions['createMismatchError'],
    placeToPrune = place,
  ): Promise<BackupTrouble | null> {
    try {
      await copyAndPrune(place, createMismatchError, placeToPrune)
      return null
    } catch (error) {
      meter.signal.throwIfAborted()
      if (error instanceof BackupTrouble) return error
      if (isSystemError(error)) return backupTrouble.secondUnusable(place.name, error)
      throw error
    }
  }

  async function copyAndPrune(
    place: Place,
    createMismatchError: CopyArchiveOptions['createMismatchError'],
    placeToPrune: Place,
  ): Promise<void> {
    await resolveSetAside(place)
    const rereadResult = await rereadDueParts(place, parts.now(), meter)
    const { name, sizes } = newArchive
    const { damagedContents } = rereadResult
    const copiedBytes = await copyArchive({
      from: firstPlace,
      to: place,
      name,
      sourceSizes: sizes,
      damagedContents,
      createMismatchError,
      meter,
    })
    usedPlaces.push({
      place,
      rereadResult,
      copiedBytes,
      pruneResult: await prune(placeToPrune, retention, name),
    })
  }

  const repair = await repairAll(usedPlaces, parts.now(), meter)
  troubles.push(...repair.troubles)
  const warnings = [...repair.warnings, ...(isThinningPaused ? (['thinning-paused'] as const) : [])]
  const listings = await Promise.all(foldersOf(targets).map(parts.listArchives))
  return {
    ok: troubles.length === 0,
    ...(secondFolder !== null && { zweit: true as const }),
    archiv: newArchive.name,
    bytes: newArchive.bytes,
    gesichert: newArchive.contentBytes,
    orte: usedPlaces.length,
    plaetze: usedPlaces.map(({ place, copiedBytes, pruneResult }) => ({
      ort: place.name,
      bytes: pruneResult.bytes,
      kopiert: copiedBytes,
    })),
    ...(await warningFields(listings, parts, targets, warnings)),
    ...(troubles.length > 0 && {
      fehler: troubles.map(({ sentence }) => sentence).join(' '),
      fehler_codes: troubles.map(({ code }) => code),
    }),
  }
}

/**
 * Prepares the first target and returns the sizes of the contents in its content store. Rejects if the target
 * cannot be used, or lacks space for this run.
 */
async function prepareFirstTarget(parts: RunParts, place: FolderPlace, meter: Meter): Promise<ChecksumTable> {
  const { name } = place
  if ((await parts.listArchives(name)) === null) throw backupTrouble.targetSilent(name)
  try {
    await place.prepare()
    await resolveSetAside(place)
    const contentSizes = await readIndex(place)
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

/**
 * Returns `place`, but an archive that `nearPlace` also has, with the same length, is read from `nearPlace`,
 * because reading from a bucket may cost money.
 */
async function withArchivesFrom(nearPlace: Place, place: Place): Promise<Place> {
  const archiveLengthsAt = async (target: Place) =>
    new Map((await target.archives()).map(({ name, bytes }) => [name, bytes]))
  const [nearLengths, placeLengths] = [await archiveLengthsAt(nearPlace), await archiveLengthsAt(place)]
  const openArchive = (name: string) =>
    (nearLengths.has(name) && nearLengths.get(name) === placeLengths.get(name)
      ? nearPlace
      : place
    ).openArchive(name)
  return { ...place, openArchive }
}
