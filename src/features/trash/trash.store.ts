/** Rows of the trash. A file is either in `media` or here, never in both. */
import type { Queries } from '../../database/database.ts'
import { type Actor, actorName } from '../history/actor.ts'
import { recordHistory } from '../history/history.store.ts'
import { deleteRow, type MediaRow } from '../media/media.store.ts'

/** Takes files out of the library into the trash. Their objects stay where they are until they follow. */
export async function moveToTrash(
  tx: Queries,
  rows: readonly MediaRow[],
  by: Actor,
  at: number,
): Promise<void> {
  for (const row of rows) {
    const { nr: _nr, folder: _folder, derived: _derived, derive_attempts: _attempts, ...kept } = row
    await deleteRow(tx, row)
    await tx
      .insertInto('trash')
      .values({ ...kept, deleted_at: at, deleted_by: actorName(by) })
      .execute()
  }
  const entries = rows.map(({ path, size }) => ({ what: 'geloescht' as const, path, bytes: size }))
  await recordHistory(tx, by, at, entries)
}
