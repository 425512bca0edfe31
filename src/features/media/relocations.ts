/**
 * Makes object names follow file paths. Renaming, deleting and restoring change only rows, in one
 * transaction. A run then links the objects under their new names, changes the row to these names, and
 * discards the old ones. At every moment the row names an existing object. After a crash the rows still say
 * which objects have to be moved.
 */
import { readPages } from '../../base/batches.ts'
import { IncompleteRunError } from '../../jobs/job.ts'
import { MARK_LENGTH } from '../../storage/names.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from './discards.ts'
import { createKickedRuns, type KickedRuns } from './kicked-runs.ts'
import { discardObjects, type OwnerRow, objectsOf } from './media.store.ts'
import { librarySource, type RelocationSource, trashSource } from './rows-to-relocate.ts'

const BATCH_SIZE = 100

/** Milliseconds from a kick to its run. */
const RELOCATION_DELAY = 50

/**
 * A run moves the objects of all files whose path has changed, that were restored, or that are new in the
 * trash, and returns the number of these files. On a store whose object names do not follow paths, a run only
 * empties the relocation list. `stop` finishes the current file; the rows still say which files are left.
 */
export type Relocations = KickedRuns

export interface RelocationsParts extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'log'> {
  now?: () => number
  discards: Discards
}

export function createRelocations(parts: RelocationsParts): Relocations {
  const { database, storage, discards, newId, log, now = Date.now } = parts

  async function relocateRow(row: OwnerRow, source: RelocationSource): Promise<void> {
    const targetName = source.targetName(row, newId(MARK_LENGTH))
    const relocatedRow = { ...row, object: targetName, ...source.discardedColumns }
    const oldNames = objectsOf({ ...relocatedRow, object: row.object })
    const linkedAt = now()
    for (const [index, newName] of objectsOf(relocatedRow).entries())
      await storage.relocate(oldNames[index]!, newName)

    await database.transaction(async tx => {
      // If the file has changed meanwhile (overwritten, renamed again, derived, deleted or restored), this
      // move no longer applies: the objects under the new names are discarded instead of the old ones. The
      // same is done after a suspension of the machine, because the sweep may have removed the new objects.
      const isUnchanged =
        isSameState(row, await source.findRow(tx, row.nr)) && !isTooOldToRecord(linkedAt, now())
      await discardObjects(tx, objectsOf(isUnchanged ? row : relocatedRow), discards.dueAt())
      if (isUnchanged) await source.recordRelocation(tx, row, targetName)
    })
  }

  async function relocateRows(
    source: RelocationSource,
    signal: AbortSignal,
  ): Promise<{ movedCount: number; failedCount: number }> {
    let movedCount = 0
    let failedCount = 0
    const readRows = (lastRow: OwnerRow | undefined, limit: number) =>
      source.nextRows(database.read, lastRow?.nr ?? 0, limit)
    for await (const rows of readPages(readRows, BATCH_SIZE)) {
      for (const row of rows) {
        if (signal.aborted) return { movedCount, failedCount }
        try {
          if (source.isInPlace(row)) await database.transaction(tx => source.recordRelocation(tx, row))
          else await relocateRow(row, source)
          movedCount++
        } catch (error) {
          failedCount++
          // The next run tries again. Until then the file is read under its old name.
          log.warn('an object could not follow its path', { object: row.object, cause: error })
        }
      }
    }
    return { movedCount, failedCount }
  }

  /**
   * Within this process runs never overlap: two at once would link every object twice. A run of another
   * process may overlap, since the scheduled job takes a lease but a run that `kick` starts does not. The
   * first run to update a row wins; a run that finds the row changed discards the objects that it has linked.
   */
  async function relocateAll(signal: AbortSignal): Promise<number> {
    if (!storage.namesFollowPaths) {
      // On this store object names do not follow paths, so only the list is emptied.
      await database.transaction(tx => tx.deleteFrom('relocation').execute())
      return 0
    }
    const [libraryCounts, trashCounts] = [
      await relocateRows(librarySource, signal),
      await relocateRows(trashSource, signal),
    ]
    const movedCount = libraryCounts.movedCount + trashCounts.movedCount
    if (movedCount > 0) discards.kick()
    const failedCount = libraryCounts.failedCount + trashCounts.failedCount
    if (failedCount > 0) throw new IncompleteRunError(`${failedCount} objects could not follow their paths`)
    return movedCount
  }

  return createKickedRuns({
    task: relocateAll,
    delay: RELOCATION_DELAY,
    failureText: 'following paths failed',
    log,
  })
}

function isSameState(row: OwnerRow, currentRow: OwnerRow | null): boolean {
  return (
    currentRow !== null &&
    currentRow.id === row.id &&
    currentRow.path === row.path &&
    objectsOf(currentRow).join() === objectsOf(row).join()
  )
}
