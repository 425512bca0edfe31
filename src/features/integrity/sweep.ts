/**
 * Removes objects without a row once they are old enough; a crash leaves them if it happens after the bytes
 * were stored and before the row was written. Also removes old staged bytes and old unfinished uploads, and
 * reports files whose object is missing, in the library and in the trash.
 *
 * Young objects are kept: their row may be about to be written. The age counts from when the object got its
 * name, so an object that has just been moved to a new name is safe too. The rows count as lost in three
 * cases: the database lacks committed changes; an original has no row and the database contains no files;
 * more originals have no row than a crash can leave, and no person requested the sweep. Then no object is
 * removed, since these originals may be all that is left of the files.
 */
import type { LostChangesDetector } from '../../adapters/lost-changes.ts'
import { batches } from '../../base/batches.ts'
import { DAY } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import {
  type CompareParts,
  filterUnowned,
  findOwnersWithoutObject,
  type OwnObject,
  splitByPlace,
  walkOrphans,
} from './compare.ts'
import { findOwners, unfinishedUploadObjects } from './owners.ts'

/**
 * Minimum age in milliseconds at which an unfinished multipart upload to S3 is removed; on a slow connection
 * an upload may take long.
 */
const MIN_UNFINISHED_UPLOAD_AGE = DAY
/** Maximum number of originals without a row that count as leftovers of a crash. */
const MAX_CRASH_LEFTOVERS = 20

export interface OrphanRemoval {
  removedNames: string[]
  /** If the rows seem to be lost: number of originals without a row, all of which are kept. Otherwise 0. */
  heldBackCount: number
}

export interface SweepParts extends CompareParts {
  coordination: Pick<Coordination, 'isHeld'>
  lostChanges: Pick<LostChangesDetector, 'find'>
}

export interface SweepOptions {
  /** Minimum age in milliseconds of the objects and staged bytes to remove; by default `SWEEP_AGE`. */
  minAge?: number
  /**
   * Whether a person requested the sweep. Then any number of originals without a row may be removed, unless
   * the database contains no files at all or is known to lack committed changes.
   */
  isRequested?: boolean
  /** On abort, the sweep ends and reports what it has done so far. */
  signal?: AbortSignal | undefined
}

export async function sweep(parts: SweepParts, options: SweepOptions = {}) {
  const removal = await removeOrphans(parts, options)
  const { library, trash } = splitByPlace(await findOwnersWithoutObject(parts, options.signal))
  return { ...removal, missing: library, missingInTrash: trash }
}

/**
 * Removes old staged bytes, old unfinished uploads and orphans (old objects without a row). Lists all objects
 * first, and removes orphans only if the list does not suggest that rows are lost.
 */
export async function removeOrphans(parts: SweepParts, options: SweepOptions = {}): Promise<OrphanRemoval> {
  const { minAge = SWEEP_AGE, isRequested = false, signal } = options
  const { read: db } = parts.database
  await parts.storage.clearStaging(minAge)
  await parts.storage.removeUnfinished(
    Math.max(minAge, MIN_UNFINISHED_UPLOAD_AGE),
    await unfinishedUploadObjects(db),
  )
  const orphans: OwnObject[] = []
  let rowlessCount = 0
  let areRowsLost = (await parts.lostChanges.find()) !== null
  for await (const batch of walkOrphans(parts, minAge)) {
    if (signal?.aborted) break
    const originalCount = await countRowlessOriginals(db, batch)
    rowlessCount += originalCount
    if (originalCount > 0)
      areRowsLost ||= !((isRequested || rowlessCount <= MAX_CRASH_LEFTOVERS) && (await hasAnyFile(db)))
    if (areRowsLost) orphans.length = 0
    else orphans.push(...batch)
  }
  return areRowsLost
    ? { removedNames: [], heldBackCount: rowlessCount }
    : { removedNames: await removeObjects(parts, orphans, signal), heldBackCount: 0 }
}

async function hasAnyFile(db: Queries): Promise<boolean> {
  for (const place of ['media', 'trash'] as const)
    if (await db.selectFrom(place).select('nr').limit(1).executeTakeFirst()) return true
  return false
}

/**
 * Counts the originals whose content has no row at all. If the content has a row with another object name,
 * the original is an earlier object of an existing file, so nothing is lost.
 */
async function countRowlessOriginals(db: Queries, objects: readonly OwnObject[]): Promise<number> {
  const ids = objects.filter(({ parsed }) => parsed.role === 'original').map(({ parsed }) => parsed.id)
  if (ids.length === 0) return 0
  const ownedIds = new Set((await findOwners(db, ids)).map(({ id }) => id))
  return ids.filter(id => !ownedIds.has(id)).length
}

async function removeObjects(
  { database, storage, coordination }: SweepParts,
  orphans: readonly OwnObject[],
  signal?: AbortSignal,
): Promise<string[]> {
  const removedNames: string[] = []
  for (const batch of batches(orphans)) {
    if (signal?.aborted) break
    // Listing a large store takes long; meanwhile rows may have been written for some of the objects.
    const unownedObjects = await filterUnowned(database, batch)
    // Nothing is removed during a backup: it may still need an object that has lost its row since the backup
    // began.
    if (unownedObjects.length > 0 && (await coordination.isHeld('backup'))) continue
    await database.waitUntilDurable()
    const names = unownedObjects.map(({ name }) => name)
    const errors = await storage.removeAll(names)
    removedNames.push(...names.filter(name => !errors.has(name)))
    for (const error of errors.values()) throw error
  }
  return removedNames
}
