/**
 * One backup run: reads a part of what is there, stores what is new and the archive that names it, copies
 * both to the second target and to the bucket, and removes what is old. A failure at one of these does not
 * cost the archive at the first.
 */
import type { BackupReport } from '../../../contract/service/backup.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { isForeignPath } from '../../../storage/local/platform.ts'
import { openBucketPlace } from '../bucket/bucket-place.ts'
import type { BucketTarget } from '../bucket/bucket-target.ts'
import { createFolderPlace, type FolderPlace } from '../places/folder-place.ts'
import type { Place } from '../places/place.ts'
import { foldersOf, type Targets } from '../places/targets.ts'
import { rereadInTurn } from '../stock/rereading.ts'
import { readIndex } from '../stock/stock-index.ts'
import type { SumTable } from '../stock/sum-table.ts'
import { settleAside, thinOut } from '../stock/thin-out.ts'
import { missingBytes, rowBytes } from './backup.store.ts'
import { type MakeParts, makeArchive } from './make-archive.ts'
import { createMeter, type Meter, type RunWatch } from './meter.ts'
import { repairAll, type UsedPlace } from './repair.ts'
import { type CopyRun, copyArchive, type TargetParts, troubleAtSecond } from './second-target.ts'
import { warningsAfter } from './warnings.ts'

export type RunParts = MakeParts & TargetParts

export type RunReport = Omit<BackupReport, 'zeit'>

/** Rejects with `BackupTrouble` if no archive was made. Any other problem is in the report. */
export async function runBackup(parts: RunParts, targets: Targets, watch: RunWatch): Promise<RunReport> {
  const { second, retention } = targets
  checkTargets(targets)
  const meter = createMeter(watch)
  const first = createFolderPlace(targets.first, parts.newId)
  const index = await prepareFirst(parts, first, meter)
  // The second target is checked before the long work begins; its problem is reported at the end.
  const other = second === null ? null : createFolderPlace(second, parts.newId)
  let secondTrouble = other && (await troubleAtSecond(parts, targets, other))

  const reread = await rereadInTurn(first, parts.now(), meter)
  for (const sha256 of reread.damaged) index.delete(sha256)
  const made = await makeArchive(parts, first, index, meter)
  const used: UsedPlace[] = [
    { place: first, reread, copied: made.copied, thinned: await thinOut(first, retention, made.name) },
  ]
  const troubles: BackupTrouble[] = []
  if (!made.complete) troubles.push(backupTrouble.incomplete(made.missing, made.altered, made.unusable))
  if (other) {
    secondTrouble ??= await useSecond(other)
    if (secondTrouble) troubles.push(secondTrouble)
  }

  if (targets.bucket) {
    const trouble = await useBucket(targets.bucket)
    if (trouble) troubles.push(trouble)
  }

  async function useSecond(place: FolderPlace): Promise<BackupTrouble | null> {
    meter.step('zweitziel')
    return useOther(place, backupTrouble.copyDiffers)
  }

  async function useBucket(target: BucketTarget): Promise<BackupTrouble | null> {
    meter.step('bucket')
    const { storage, newId, now } = parts
    const options = { target, scratch: storage.scratch, newId, now, signal: meter.signal, create: true }
    try {
      const place = await openBucketPlace(options)
      await place.prepare()
      return await useOther(place, backupTrouble.bucketDiffers, await readingFrom(first, place))
    } catch (error) {
      meter.signal.throwIfAborted()
      if (error instanceof BackupTrouble) return error
      throw error
    }
  }

  /** `thinned`: the same target, whose archives are read to find out what they name. */
  async function useOther(
    place: Place,
    differs: CopyRun['differs'],
    thinned = place,
  ): Promise<BackupTrouble | null> {
    await settleAside(place)
    const reread = await rereadInTurn(place, parts.now(), meter)
    const { name, sizes } = made
    const { damaged } = reread
    const copied = await copyArchive({ from: first, to: place, name, sizes, damaged, differs, meter })
    if (copied instanceof BackupTrouble) return copied
    used.push({ place, reread, copied, thinned: await thinOut(thinned, retention, name) })
    return null
  }

  const repaired = await repairAll(used, parts.now(), meter)
  troubles.push(...repaired.troubles)
  const found = await Promise.all(foldersOf(targets).map(parts.listArchives))
  return {
    ok: troubles.length === 0,
    ...(second !== null && { zweit: true as const }),
    archiv: made.name,
    bytes: made.bytes,
    gesichert: made.saved,
    orte: used.length,
    plaetze: used.map(({ place, copied, thinned }) => ({
      ort: place.name,
      bytes: thinned.bytes,
      kopiert: copied,
    })),
    ...(await warningsAfter(found, parts, targets, repaired.warnings)),
    ...(troubles.length > 0 && {
      fehler: troubles.map(({ sentence }) => sentence).join(' '),
      fehler_codes: troubles.map(({ code }) => code),
    }),
  }
}

/** Before anything is written: on this machine a foreign path would become a folder of that very name. */
function checkTargets({ first, second, unset }: Targets): void {
  if (unset) throw backupTrouble.targetUnset()
  if (isForeignPath(first)) throw backupTrouble.targetForeign(first)
  if (second !== null && isForeignPath(second)) throw backupTrouble.secondForeign(second)
}

/** Returns what the stock has. Rejects if the target cannot be used, or lacks the space for this run. */
async function prepareFirst(parts: RunParts, place: FolderPlace, meter: Meter): Promise<SumTable> {
  const { name } = place
  if ((await parts.listArchives(name)) === null) throw backupTrouble.targetSilent(name)
  try {
    await place.prepare()
    await settleAside(place)
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

/** `place`, but with archives read from `near` if that has the same ones: a bucket charges for reading. */
async function readingFrom(near: Place, place: Place): Promise<Place> {
  const lengths = async (at: Place) => new Map((await at.archives()).map(({ name, bytes }) => [name, bytes]))
  const [here, there] = [await lengths(near), await lengths(place)]
  const openArchive = (name: string) =>
    (here.has(name) && here.get(name) === there.get(name) ? near : place).openArchive(name)
  return { ...place, openArchive }
}
