/** Moves files of the library to the trash. */
import type { TrashReason } from '../../contract/files/choices.ts'
import type { Queries } from '../../database/database.ts'
import type { Actor } from '../../http/access/actor.ts'
import { recordHistory } from '../history/history.store.ts'
import { deleteRows, type MediaRow } from '../media/media.store.ts'
import { addTrashEntries } from '../media/trash-entries.ts'

/**
 * `at`: the time of the action (Unix milliseconds). `action`: the id under which the history groups its
 * entries.
 */
export interface ActionRecord {
  at: number
  action: string
}

/**
 * Moves files to the trash. Returns their trash numbers, in the order of `rows`. The objects are not moved
 * yet: call `relocations.kick()` after the commit.
 */
export async function moveToTrash(
  tx: Queries,
  rows: readonly MediaRow[],
  actor: Actor,
  {
    at: deletedAt,
    action,
    reason = 'geloescht',
    details,
  }: ActionRecord & { reason?: TrashReason; details?: string },
): Promise<number[]> {
  if (rows.length === 0) return []
  await deleteRows(tx, rows)
  const rowsToTrash = rows.map(row => ({ ...row, media_nr: row.nr }))
  const trashNumbersById = await addTrashEntries(tx, rowsToTrash, { actor, deletedAt, reason })
  const historyEntries = rows.map(({ path, size }) => ({
    what: 'geloescht' as const,
    path,
    bytes: size,
    ...(details !== undefined && { details }),
  }))
  await recordHistory(tx, actor, deletedAt, historyEntries, action)
  return rows.map(({ id }) => trashNumbersById.get(id)!)
}
