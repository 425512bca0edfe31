/**
 * Lets object names follow file paths. Renaming, deleting and restoring change only rows, in one transaction.
 * Afterwards the objects are linked under their new names, the row is changed to the new names, and the old
 * ones are discarded. At every moment the row names an existing object; after a crash the rows say what is
 * left to do.
 */
import { pages } from '../../base/batches.ts'
import { IncompleteRun } from '../../jobs/job.ts'
import { MARK_LENGTH } from '../../storage/names.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from './discards.ts'
import { type Following, libraryFollowing, trashFollowing } from './following.ts'
import { createKickedRuns, type KickedRuns } from './kicked-runs.ts'
import { discardObjects, type OwnerRow, objectsOf } from './media.store.ts'

const BATCH = 100

/** Milliseconds from a kick to its run. */
const KICK_DELAY = 50

/**
 * A run moves the objects of all files whose path has changed, and returns the number of files. `stop`
 * finishes the current file; the rows still say which files are left.
 */
export type Relocations = KickedRuns

export interface RelocationsParts extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'log'> {
  now?: () => number
  discards: Discards
}

export function createRelocations(parts: RelocationsParts): Relocations {
  const { database, storage, discards, newId, log, now = Date.now } = parts

  async function follow(row: OwnerRow, place: Following): Promise<void> {
    const target = place.target(row, newId(MARK_LENGTH))
    const moved = { ...row, object: target, ...place.letGo }
    const from = objectsOf({ ...moved, object: row.object })
    const linkedAt = now()
    for (const [at, to] of objectsOf(moved).entries()) await storage.relocate(from[at]!, to)

    await database.transaction(async tx => {
      // Any other change meanwhile (overwritten, renamed again, derived, deleted, restored) makes this move
      // void: then the new names are discarded instead of the old ones. The same applies after a suspension
      // of the machine, since the new objects may have been swept.
      const same = isSame(row, await place.find(tx, row.nr)) && !isTooOldToRecord(linkedAt, now())
      await discardObjects(tx, objectsOf(same ? row : moved), discards.dueAt())
      if (same) await place.settle(tx, row, target)
    })
  }

  async function workOff(place: Following, signal: AbortSignal): Promise<{ moved: number; failed: number }> {
    let moved = 0
    let failed = 0
    const read = (last: OwnerRow | undefined, limit: number) =>
      place.next(database.read, last?.nr ?? 0, limit)
    for await (const rows of pages(read, BATCH)) {
      for (const row of rows) {
        if (signal.aborted) return { moved, failed }
        try {
          if (place.inPlace(row)) await database.transaction(tx => place.settle(tx, row))
          else await follow(row, place)
          moved++
        } catch (error) {
          failed++
          // The next run tries again. Until then the file is read under its old name.
          log.warn('an object could not follow its path', { object: row.object, cause: error })
        }
      }
    }
    return { moved, failed }
  }

  /**
   * Within this process runs never overlap: two at once would link every object twice. Another process may be
   * running too, since a run on request does not take the job's lease. Then the first process to update a row
   * wins, and the other discards its new objects.
   */
  async function work(signal: AbortSignal): Promise<number> {
    if (!storage.namesFollowPaths) {
      // On this store object names do not follow paths, so only the list is emptied.
      await database.transaction(tx => tx.deleteFrom('relocation').execute())
      return 0
    }
    const [library, trash] = [await workOff(libraryFollowing, signal), await workOff(trashFollowing, signal)]
    const moved = library.moved + trash.moved
    if (moved > 0) discards.kick()
    const failed = library.failed + trash.failed
    if (failed > 0) throw new IncompleteRun(`${failed} objects could not follow their paths`)
    return moved
  }

  return createKickedRuns({ work, delay: KICK_DELAY, failed: 'following paths failed', log })
}

function isSame(row: OwnerRow, current: OwnerRow | null): boolean {
  return (
    current !== null &&
    current.id === row.id &&
    current.path === row.path &&
    objectsOf(current).join() === objectsOf(row).join()
  )
}
