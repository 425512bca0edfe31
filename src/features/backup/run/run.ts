/**
 * One backup run: reads a part of the earlier backup again, stores new contents and an archive at the first
 * target, copies both to the second target and to the bucket, and removes old archives. If the second target
 * or the bucket fails, the archive at the first target remains.
 */
import type { LostChanges } from '../../../adapters/lost-changes.ts'
import type { BackupReport } from '../../../contract/service/backup.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { isForeignPath } from '../../../storage/local/platform.ts'
import type { BucketTarget } from '../bucket/bucket-target.ts'
import { createFolderPlace, type FolderPlace } from '../places/folder-place.ts'
import type { Place } from '../places/place.ts'
import { KEEP_ALL } from '../places/retention.ts'
import { foldersOf, type Targets } from '../places/targets.ts'
import { prune, resolveSetAside } from '../stock/prune.ts'
import { rereadDueParts } from '../stock/rereading.ts'
import { readIndex } from '../stock/stock-index.ts'
import type { SumTable } from '../stock/sum-table.ts'
import { missingBytes, rowBytes } from './backup.store.ts'
import { type MakeParts, makeArchive } from './make-archive.ts'
import { createMeter, type Meter, type RunWatch } from './meter.ts'
import { repairAll, type UsedPlace } from './repair.ts'
import { type CopyRun, copyArchive, type TargetParts, troubleAtSecond } from './second-target.ts'
import { warningsAfter } from './warnings.ts'

export type RunParts = MakeParts & TargetParts & { lostChanges: Pick<LostChanges, 'find'> }

export type RunReport = Omit<BackupReport, 'zeit'>

/** Rejects with `BackupTrouble` if no archive was made. Any other problem is in the report. */
export async function runBackup(parts: RunParts, targets: Targets, watch: RunWatch): Promise<RunReport> {
  const { second } = targets
  checkTargets(targets)
  const isPaused = (await parts.lostChanges.find()) !== null
  const retention = isPaused ? KEEP_ALL : targets.retention
  const meter = createMeter(watch)
  const first = createFolderPlace(targets.first, parts.newId)
  const index = await prepareFirst(parts, first, meter)
  // The second target is checked before the long work begins; its problem is reported at the end.
  const other = second === null ? null : createFolderPlace(second, parts.newId)
  let secondTrouble = other && (await troubleAtSecond(parts, targets, other))

  const reread = await rereadDueParts(first, parts.now(), meter)
  for (const sha256 of reread.damaged) index.delete(sha256)
  const made = await makeArchive(parts, first, index, meter)
  const used: UsedPlace[] = [
    { place: first, reread, copied: made.copied, pruned: await prune(first, retention, made.name) },
  ]
  const troubles: BackupTrouble[] = []
  if (!made.complete) troubles.push(backupTrouble.incomplete(made.missing, made.altered, made.unusable))
  if (other) {
    secondTrouble ??= await copyToSecond(other)
    if (secondTrouble) troubles.push(secondTrouble)
  }

  if (targets.bucket) {
    const trouble = await copyToBucket(targets.bucket)
    if (trouble) troubles.push(trouble)
  }

  async function copyToSecond(place: FolderPlace): Promise<BackupTrouble | null> {
    meter.step('zweitziel')
    return copyTo(place, backupTrouble.copyDiffers)
  }

  async function copyToBucket(target: BucketTarget): Promise<BackupTrouble | null> {
    meter.step('bucket')
    const { storage, newId, now } = parts
    const options = { target, scratch: storage.scratch, newId, now, signal: meter.signal, create: true }
    try {
      // The encryption is loaded only when it is needed: it takes some megabytes, and few instances have a
      // bucket.
      const { openBucketPlace } = await import('../bucket/bucket-place.ts')
      const place = await openBucketPlace(options)
      await place.prepare()
      return await copyTo(place, backupTrouble.bucketDiffers, await withArchivesFrom(first, place))
    } catch (error) {
      meter.signal.throwIfAborted()
      if (error instanceof BackupTrouble) return error
      throw error
    }
  }

  /** `forPruning`: the same target, except that its archives may be read from a nearer target. */
  async function copyTo(
    place: Place,
    differs: CopyRun['differs'],
    forPruning = place,
  ): Promise<BackupTrouble | null> {
    await resolveSetAside(place)
    const reread = await rereadDueParts(place, parts.now(), meter)
    const { name, sizes } = made
    const { damaged } = reread
    const copied = await copyArchive({ from: first, to: place, name, sizes, damaged, differs, meter })
    if (copied instanceof BackupTrouble) return copied
    used.push({ place, reread, copied, pruned: await prune(forPruning, retention, name) })
    return null
  }

  const repaired = await repairAll(used, parts.now(), meter)
  troubles.push(...repaired.troubles)
  const warnings = [...repaired.warnings, ...(isPaused ? (['thinning-paused'] as const) : [])]
  const found = await Promise.all(foldersOf(targets).map(parts.listArchives))
  return {
    ok: troubles.length === 0,
    ...(second !== null && { zweit: true as const }),
    archiv: made.name,
    bytes: made.bytes,
    gesichert: made.saved,
    orte: used.length,
    plaetze: used.map(({ place, copied, pruned }) => ({
      ort: place.name,
      bytes: pruned.bytes,
      kopiert: copied,
    })),
    ...(await warningsAfter(found, parts, targets, warnings)),
    ...(troubles.length > 0 && {
      fehler: troubles.map(({ sentence }) => sentence).join(' '),
      fehler_codes: troubles.map(({ code }) => code),
    }),
  }
}

/**
 * Throws if no first target is set, or if a path is one of another operating system: a run would create a
 * folder of that name here.
 */
function checkTargets({ first, second, unset }: Targets): void {
  if (unset) throw backupTrouble.targetUnset()
  if (isForeignPath(first)) throw backupTrouble.targetForeign(first)
  if (second !== null && isForeignPath(second)) throw backupTrouble.secondForeign(second)
}

/**
 * Prepares the first target and returns the sizes of the contents in its stock. Rejects if the target cannot
 * be used, or lacks space for this run.
 */
async function prepareFirst(parts: RunParts, place: FolderPlace, meter: Meter): Promise<SumTable> {
  const { name } = place
  if ((await parts.listArchives(name)) === null) throw backupTrouble.targetSilent(name)
  try {
    await place.prepare()
    await resolveSetAside(place)
    const index = await readIndex(place)
    const { read } = parts.database
    const needed = (await rowBytes(read)) + (meter.onlyList ? 0 : await missingBytes(read, index))
    const free = await place.freeBytes()
    if (free !== null && free < needed) throw backupTrouble.targetFull(name, needed, free)
    meter.expect(2 * needed)
    return index
  } catch (error) {
    throw error instanceof BackupTrouble ? error : backupTrouble.targetUnusable(name, error)
  }
}

/**
 * `place`, except that archives which `near` has too are read from `near`: reading from a bucket costs money.
 */
async function withArchivesFrom(near: Place, place: Place): Promise<Place> {
  const lengths = async (at: Place) => new Map((await at.archives()).map(({ name, bytes }) => [name, bytes]))
  const [here, there] = [await lengths(near), await lengths(place)]
  const openArchive = (name: string) =>
    (here.has(name) && here.get(name) === there.get(name) ? near : place).openArchive(name)
  return { ...place, openArchive }
}
