/** Writes the trash rows of deleted files and of replaced contents. */
import { actorText } from '../../contract/accounts/actors.ts'
import type { TrashReason } from '../../contract/files/choices.ts'
import type { Queries } from '../../database/database.ts'
import { type Actor, nameActor } from '../../http/access/actor.ts'
import { ENCODER_COLUMNS } from '../../storage/derived-parts.ts'
import type { MediaRow } from './media.store.ts'

/**
 * Columns of a library row that are not copied to its trash row. The trash assigns an `nr` of its own.
 * Derived files are remade when the file is restored, so their state is not kept.
 */
const DROPPED_COLUMNS = [
  ...(['nr', 'folder', 'natural_key', 'placed_at', 'restored_at'] as const),
  ...(['derived_at', 'derived', 'derive_attempts', 'derive_until'] as const),
  ...ENCODER_COLUMNS,
]
type DroppedColumn = (typeof DROPPED_COLUMNS)[number]
const keptColumns = (row: MediaRow) =>
  Object.fromEntries(
    Object.entries(row).filter(([column]) => !DROPPED_COLUMNS.includes(column as DroppedColumn)),
  ) as Omit<MediaRow, DroppedColumn>

/**
 * `media_nr` is the row number that the file gets back when it is restored; null if the number stays with the
 * path.
 */
export type RowToTrash = MediaRow & { media_nr: number | null }

/**
 * Writes the trash entries and returns their numbers by content id. The caller removes the rows from the
 * library in the same transaction. The objects keep their names until they are relocated: call
 * `relocations.kick()` after the commit.
 */
export async function addTrashEntries(
  tx: Queries,
  rows: readonly RowToTrash[],
  { actor, deletedAt, reason: removal_reason }: { actor: Actor; deletedAt: number; reason: TrashReason },
): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map()
  const deleted_by = actorText(nameActor(actor))
  const insertedRows = await tx
    .insertInto('trash')
    .values(
      rows.map(row => ({
        ...keptColumns(row),
        media_nr: row.media_nr,
        deleted_at: deletedAt,
        deleted_by,
        removal_reason,
      })),
    )
    .returning(['nr', 'id'])
    .execute()
  return new Map(insertedRows.map(({ nr, id }) => [id, nr]))
}
