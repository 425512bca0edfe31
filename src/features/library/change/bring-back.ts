/** Restores from the trash what a retention rule or the removal of equal files moved there. */
import { pages } from '../../../base/batches.ts'
import type { Queries } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Area } from '../../../http/access/area.ts'
import type { FeatureParts } from '../../feature.ts'
import { whereWithin } from '../../folders/folder-keys.ts'
import type { Trash } from '../../trash/trash.ts'
import type { Refusal } from '../list/files.ts'
import type { MoveInfo } from './moves.ts'

/** Maximum number of files per step. */
const STEP = 100

export interface BringBackParts extends Pick<FeatureParts, 'database'> {
  /** Restores entries by their numbers in the trash. */
  restore: Trash['restore']
}

export function createBringBack({ database: { read, queries }, restore }: BringBackParts) {
  const step = Math.min(queries.rowsAtOnce, STEP)
  /**
   * Returns null if the action `ended` has moved no such files to the trash. Works in steps, so that uploads
   * can run in between.
   */
  return async (
    ended: string,
    reach: Area,
    { by, action, onMoved }: Pick<MoveInfo, 'by' | 'action' | 'onMoved'>,
  ) => {
    const refused: Refusal[] = []
    let [files, isKnown] = [0, false]
    for await (const entries of pages<Entry>(
      (last, limit) => entriesOf(read, ended, reach, { last, limit }),
      step,
    )) {
      isKnown = true
      const inTrash = await trashNumbers(read, entries)
      for (const { path } of entries)
        if (!inTrash.has(path)) refused.push({ path, why: failure.changedSince() })
      const paths = new Map([...inTrash].map(([path, nr]) => [nr, path]))
      const outcome = await restore([...paths.keys()], by, { reach, action })
      for (const { nr, why } of outcome.refused) refused.push({ path: paths.get(nr)!, why })
      files += outcome.restored.length
      onMoved?.(outcome.restored.length)
    }
    return isKnown ? { files, refused, action: files > 0 ? action : null } : null
  }
}

interface Entry {
  nr: number
  path: string
  at: number
}

/**
 * The entries of an action by a retention rule or the removal of equal files: only these have details. Files
 * that somebody deleted by hand are restored on the page of the trash.
 */
const entriesOf = (
  db: Queries,
  action: string,
  reach: Area,
  { last, limit }: { last: Entry | undefined; limit: number },
): Promise<Entry[]> =>
  db
    .selectFrom('history')
    .select(['nr', 'path', 'at'])
    .where('action', '=', action)
    .where('what', '=', 'geloescht')
    .where('details', 'is not', null)
    .where('nr', '>', last?.nr ?? 0)
    .where(({ and }) => and(whereWithin('path', reach)))
    .orderBy('nr')
    .limit(limit)
    .execute()

/** For each path, the trash number of its file, if it is still in the trash. */
async function trashNumbers(db: Queries, entries: readonly Entry[]): Promise<Map<string, number>> {
  const paths = entries.map(({ path }) => path)
  const rows = await db
    .selectFrom('trash')
    .select(['nr', 'path', 'deleted_at', 'removal_reason'])
    .where('path', 'in', paths)
    .execute()
  // All entries of an action have the same time. The query does not compare it, because it would then read
  // all entries of that time for each page.
  const moved = rows.filter(
    ({ deleted_at, removal_reason }) => removal_reason !== 'ueberschrieben' && deleted_at === entries[0]!.at,
  )
  return new Map(moved.map(({ nr, path }) => [path, nr]))
}
