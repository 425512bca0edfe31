/** Copies the new archive of a run from the first target to the second target and to the bucket. */
import { isSystemError } from '../../../base/system/error-code.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import type { BucketTarget } from '../bucket/bucket-target.ts'
import type { FolderPlace } from '../places/folder-place.ts'
import type { Place } from '../places/place.ts'
import type { Retention } from '../places/retention.ts'
import { prune, resolveSetAsideContents } from '../stock/prune.ts'
import { rereadDueParts } from '../stock/rereading.ts'
import { type CopyArchiveOptions, copyArchive } from './copy-archive.ts'
import type { MakeArchiveParts, NewArchive } from './make-archive.ts'
import type { ProgressMeter } from './meter.ts'
import type { UsedPlace } from './repair.ts'

interface TargetCopierParts extends Pick<MakeArchiveParts, 'storage' | 'newId' | 'now'> {
  firstPlace: FolderPlace
  newArchive: Pick<NewArchive, 'name' | 'sizes'>
  retention: Retention
  meter: ProgressMeter
}

type CreateMismatchError = CopyArchiveOptions['createMismatchError']

/** The operations return the error for the report if the target fails, and rethrow unexpected errors. */
export function createTargetCopier(parts: TargetCopierParts) {
  const { firstPlace, newArchive, retention, meter } = parts

  async function copyToSecondTarget(place: FolderPlace): Promise<UsedPlace | BackupTrouble> {
    meter.beginStep('zweitziel')
    return copyTo(place, backupTrouble.copyDiffers)
  }

  async function copyToBucket(target: BucketTarget): Promise<UsedPlace | BackupTrouble> {
    meter.beginStep('bucket')
    const { storage, newId, now } = parts
    const options = { target, scratch: storage.scratch, newId, now, signal: meter.signal, createKey: true }
    try {
      // The encryption is loaded only when it is needed: it takes some megabytes, and few instances have a
      // bucket.
      const { openBucketPlace } = await import('../bucket/bucket-place.ts')
      const place = await openBucketPlace(options)
      await place.prepare()
      return await copyTo(place, backupTrouble.bucketDiffers, await withNearbyArchives(firstPlace, place))
    } catch (error) {
      meter.signal.throwIfAborted()
      if (error instanceof BackupTrouble) return error
      throw error
    }
  }

  /**
   * Copies the new archive to the target and removes old archives there. `placeToPrune`: the same target, but
   * its archives may be read from a nearer target.
   */
  async function copyTo(
    place: Place,
    createMismatchError: CreateMismatchError,
    placeToPrune = place,
  ): Promise<UsedPlace | BackupTrouble> {
    try {
      return await copyAndPrune(place, createMismatchError, placeToPrune)
    } catch (error) {
      meter.signal.throwIfAborted()
      if (error instanceof BackupTrouble) return error
      if (isSystemError(error)) return backupTrouble.secondUnusable(place.name, error)
      throw error
    }
  }

  async function copyAndPrune(
    place: Place,
    createMismatchError: CreateMismatchError,
    placeToPrune: Place,
  ): Promise<UsedPlace> {
    await resolveSetAsideContents(place)
    const rereadResult = await rereadDueParts(place, parts.now(), meter)
    const { name, sizes } = newArchive
    const copiedBytes = await copyArchive({
      from: firstPlace,
      to: place,
      name,
      sourceSizes: sizes,
      damagedContents: rereadResult.damagedContents,
      createMismatchError,
      meter,
    })
    const pruneResult = await prune(placeToPrune, retention, name)
    return { place, rereadResult, copiedBytes, pruneResult }
  }

  return { copyToSecondTarget, copyToBucket }
}

/**
 * Returns `place`, but an archive that `nearPlace` also has, with the same length, is read from `nearPlace`,
 * because reading from a bucket may cost money.
 */
async function withNearbyArchives(nearPlace: Place, place: Place): Promise<Place> {
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
