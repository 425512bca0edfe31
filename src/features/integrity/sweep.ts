/**
 * Removes objects nobody points to (what a crash between bytes and row leaves) once they are old enough, and names files
 * whose object is gone, be they in the library or in the trash.
 *
 * What is young is left alone: its row may be about to be written. Age counts from when the object got its name, so a
 * relocation under way is safe too. And where originals lie without their rows in greater number than a crash can
 * leave them, it is the rows that are lost: then nothing is removed, since these files are all there is.
 */
import { batches } from '../../batches.ts'
import { HOUR } from '../../contract/units.ts'
import type { Coordination } from '../../coordination/coordination.ts'
import type { Queries } from '../../database/database.ts'
import { type CompareParts, type OwnObject, orphans, unowned, withoutObject } from './compare.ts'
import { knowsAnyFile, ownersOf } from './owners.ts'

export const SWEEP_AGE = HOUR
/** Originals without a row that are taken for the leftovers of a crash. */
const CRASH_LEAVES = 20

export interface SweepReport extends Removal {
  /** Paths whose object is not there. */
  missing: string[]
  /** The same of what lies in the trash, where a path may stand several times. */
  missingInTrash: { nr: number; path: string }[]
}

export interface Removal {
  /** Objects removed because no row owns them. */
  removed: string[]
  /** Originals without a row that all stay, because the database seems to have lost their rows. */
  heldBack: number
}

export interface SweepParts extends CompareParts {
  coordination: Pick<Coordination, 'isHeld'>
}

export interface SweepOptions {
  olderThan?: number
  /** Somebody has decided on the removal: however many there are, as long as the database knows any file at all. */
  byHand?: boolean
  /** When it aborts, the sweep ends and tells what it has done and found so far. */
  signal?: AbortSignal | undefined
}

export async function sweep(parts: SweepParts, options: SweepOptions = {}): Promise<SweepReport> {
  const removal = await removeOrphans(parts, options)
  const missing = await withoutObject(parts, options.signal)
  return {
    ...removal,
    missing: missing.filter(({ place }) => place === 'media').map(({ path }) => path),
    missingInTrash: missing.filter(({ place }) => place === 'trash').map(({ nr, path }) => ({ nr, path })),
  }
}

/** The store is listed once: what is found waits until the whole store has shown whether rows are lost. */
export async function removeOrphans(parts: SweepParts, options: SweepOptions = {}): Promise<Removal> {
  const { olderThan = SWEEP_AGE, byHand = false, signal } = options
  const { read } = parts.database
  await parts.storage.clearStaging(olderThan)
  const found: OwnObject[] = []
  let rowless = 0
  let rowsLost = false
  for await (const some of orphans(parts, olderThan)) {
    if (signal?.aborted) break
    const originals = await rowlessOriginals(read, some)
    rowless += originals
    if (originals > 0) rowsLost ||= !((byHand || rowless <= CRASH_LEAVES) && (await knowsAnyFile(read)))
    if (rowsLost) found.length = 0
    else found.push(...some)
  }
  return rowsLost
    ? { removed: [], heldBack: rowless }
    : { removed: await remove(parts, found, signal), heldBack: 0 }
}

/** How many originals are without a row, be it under another name: an earlier name of a living file is no loss. */
async function rowlessOriginals(read: Queries, found: readonly OwnObject[]): Promise<number> {
  const ids = found.filter(({ parsed }) => parsed.role === 'original').map(({ parsed }) => parsed.id)
  if (ids.length === 0) return 0
  const living = new Set((await ownersOf(read, ids)).map(({ id }) => id))
  return ids.filter(id => !living.has(id)).length
}

async function remove(
  { database, storage, coordination }: SweepParts,
  found: readonly OwnObject[],
  signal?: AbortSignal,
): Promise<string[]> {
  const removed: string[] = []
  for (const some of batches(found)) {
    if (signal?.aborted) break
    // Listing a large store takes its time, in which a row may have come to own an object.
    const still = await unowned(database, some)
    // As with the discard list: a backup under way may own what has lost its row since.
    if (still.length > 0 && (await coordination.isHeld('backup'))) continue
    for (const { name } of still) {
      await storage.remove(name)
      removed.push(name)
    }
  }
  return removed
}
