/**
 * Frees the paths of entries that are restored although their paths are taken: the files at these paths go to
 * the trash.
 */
import type { Queries } from '../../database/database.ts'
import type { Actor } from '../../http/access/actor.ts'
import { deleteRows, type MediaRow, placedAfter } from '../media/media.store.ts'
import { enterTrash } from '../media/trash-entries.ts'
import type { ReturningRow, TrashRow } from './trash.store.ts'

/**
 * Returns the rows to restore. When a file is overwritten, its number, retrievals and age stay with the path.
 * So if the entry is an overwritten version, it takes these over from the file that is at the path now. Any
 * other entry keeps its own, and so does the file that it displaces.
 */
export async function displaceFiles(
  tx: Queries,
  entries: readonly TrashRow[],
  present: ReadonlyMap<string, MediaRow>,
  { by, at }: { by: Actor; at: number },
): Promise<ReturningRow[]> {
  const displacedRows = entries.flatMap(({ path, media_nr }) => {
    const row = present.get(path)
    return row ? [{ ...row, media_nr: media_nr === null ? null : row.nr }] : []
  })
  if (displacedRows.length > 0) {
    await deleteRows(tx, displacedRows)
    await enterTrash(tx, displacedRows, { by, at, reason: 'ueberschrieben' })
  }
  return entries.map(entry => {
    const row = present.get(entry.path)
    if (!row) return { ...entry, placed_at: at, restored_at: at }
    const placed_at = placedAfter(row, at)
    return { ...entry, ...(entry.media_nr === null && pathColumns(row)), placed_at, restored_at: at }
  })
}

/** The columns that belong to a path and not to its content. */
const pathColumns = ({ nr, retrievals, retrieved_at, created_at }: MediaRow) => ({
  media_nr: nr,
  ...{ retrievals, retrieved_at, created_at },
})
