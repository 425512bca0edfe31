/** Restores the files that a retention rule or the removal of equal files has moved to the trash. */
import { readPages } from '../../../base/batches.ts'
import type { Queries } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Area } from '../../../http/access/library-area.ts'
import type { FeatureParts } from '../../feature.ts'
import { whereInArea } from '../../folders/folder-keys.ts'
import type { Trash } from '../../trash/trash.ts'
import type { Refusal } from './change-files.ts'
import type { MoveContext } from './moves.ts'

/** Maximum number of history entries that are read, and of files that are restored, in one step. */
const FILES_PER_STEP = 100

export interface UndoDeletionParts extends Pick<FeatureParts, 'database'> {
  /** Restores entries by their numbers in the trash. */
  restore: Trash['restore']
}

export function createUndoDeletion({ database: { read: db, queryTraits }, restore }: UndoDeletionParts) {
  const filesPerStep = Math.min(queryTraits.rowsPerStatement, FILES_PER_STEP)
  /**
   * Restores the files in `accountArea` that the action `undoneActionId` moved to the trash, if that action
   * was a retention rule or the removal of equal files. Returns null if the history contains no such
   * deletion. Works in steps, so that uploads can run in between.
   */
  return async (
    undoneActionId: string,
    accountArea: Area,
    { actor, actionId, onMoved }: Pick<MoveContext, 'actor' | 'actionId' | 'onMoved'>,
  ) => {
    const refusals: Refusal[] = []
    let [restoredCount, hasEntries] = [0, false]
    for await (const entries of readPages<DeletionEntry>(
      (lastEntry, limit) => readDeletionEntries(db, undoneActionId, accountArea, { lastEntry, limit }),
      filesPerStep,
    )) {
      hasEntries = true
      const numbersByPath = await trashNumbersByPath(db, entries)
      for (const { path } of entries)
        if (!numbersByPath.has(path)) refusals.push({ path, reason: failure.changedSince() })
      const pathsByNumber = new Map([...numbersByPath].map(([path, nr]) => [nr, path]))
      const outcome = await restore([...pathsByNumber.keys()], actor, {
        allowedArea: accountArea,
        action: actionId,
      })
      for (const { nr, reason } of outcome.refusedEntries)
        refusals.push({ path: pathsByNumber.get(nr)!, reason })
      restoredCount += outcome.restoredFiles.length
      onMoved?.(outcome.restoredFiles.length)
    }
    return hasEntries
      ? { files: restoredCount, refused: refusals, action: restoredCount > 0 ? actionId : null }
      : null
  }
}

interface DeletionEntry {
  nr: number
  path: string
  at: number
}

/**
 * The history entries of the files that the action deleted, if it was a retention rule or the removal of
 * equal files: only these deletions have details. Files that somebody deleted by hand are restored on the
 * trash page instead.
 */
const readDeletionEntries = (
  db: Queries,
  actionId: string,
  accountArea: Area,
  { lastEntry, limit }: { lastEntry: DeletionEntry | undefined; limit: number },
): Promise<DeletionEntry[]> =>
  db
    .selectFrom('history')
    .select(['nr', 'path', 'at'])
    .where('action', '=', actionId)
    .where('what', '=', 'geloescht')
    .where('details', 'is not', null)
    .where('nr', '>', lastEntry?.nr ?? 0)
    .where(({ and }) => and(whereInArea('path', accountArea)))
    .orderBy('nr')
    .limit(limit)
    .execute()

/** Maps the path of each entry to the trash number of its file, if the file is still in the trash. */
async function trashNumbersByPath(
  db: Queries,
  entries: readonly DeletionEntry[],
): Promise<Map<string, number>> {
  const paths = entries.map(({ path }) => path)
  const rows = await db
    .selectFrom('trash')
    .select(['nr', 'path', 'deleted_at', 'removal_reason'])
    .where('path', 'in', paths)
    .execute()
  // All files that one action moved to the trash have the same `deleted_at`. It is compared here and not in
  // the query, which would otherwise read all trash entries of that time for each page.
  const rowsOfAction = rows.filter(
    ({ deleted_at, removal_reason }) => removal_reason !== 'ueberschrieben' && deleted_at === entries[0]!.at,
  )
  return new Map(rowsOfAction.map(({ nr, path }) => [path, nr]))
}
