/** When trash entries are restored to paths that are taken, moves the files at these paths to the trash. */
import type { Queries } from '../../database/database.ts'
import type { Actor } from '../../http/access/actor.ts'
import { deleteRows, type MediaRow, nextPlacementTime } from '../media/media.store.ts'
import { addTrashEntries } from '../media/trash-entries.ts'
import type { RowToRestore, TrashRow } from './trash.store.ts'

/**
 * Moves the files at the paths of the entries to the trash. Returns the rows to restore. When a file is
 * overwritten, its number, retrievals and creation time stay with the path. So an entry that is an
 * overwritten version (its `media_nr` is null) takes these values from the file that is at the path now. Any
 * other entry keeps its own values, and the file that it displaces keeps its own too.
 */
export async function displaceFiles(
  tx: Queries,
  entries: readonly TrashRow[],
  filesByPath: ReadonlyMap<string, MediaRow>,
  { actor, restoredAt }: { actor: Actor; restoredAt: number },
): Promise<RowToRestore[]> {
  const displacedRows = entries.flatMap(({ path, media_nr }) => {
    const row = filesByPath.get(path)
    return row ? [{ ...row, media_nr: media_nr === null ? null : row.nr }] : []
  })
  if (displacedRows.length > 0) {
    await deleteRows(tx, displacedRows)
    await addTrashEntries(tx, displacedRows, { actor, deletedAt: restoredAt, reason: 'ueberschrieben' })
  }
  return entries.map(entry => {
    const row = filesByPath.get(entry.path)
    if (!row) return { ...entry, placed_at: restoredAt, restored_at: restoredAt }
    const placed_at = nextPlacementTime(row, restoredAt)
    return {
      ...entry,
      ...(entry.media_nr === null && columnsKeptWithPath(row)),
      placed_at,
      restored_at: restoredAt,
    }
  })
}

/**
 * The columns that stay with a path when its content is overwritten. `nr` is called `media_nr` in the trash.
 */
const columnsKeptWithPath = ({ nr, retrievals, retrieved_at, created_at }: MediaRow) => ({
  media_nr: nr,
  retrievals,
  retrieved_at,
  created_at,
})
