/** Rows that leave the library for the trash: of deleted files, and of contents that others replaced. */
import { actorText } from '../../contract/accounts/actors.ts'
import type { TrashReason } from '../../contract/values/limits.ts'
import type { Queries } from '../../database/database.ts'
import { type Actor, nameActor } from '../../http/access/actor.ts'
import { ENCODER_COLUMNS } from '../../storage/derived-parts.ts'
import type { MediaRow } from './media.store.ts'

/** Derived files are remade when the file is restored, so their state is not kept. */
const NOT_KEPT = [
  ...(['nr', 'folder', 'natural_key', 'placed_at', 'restored_at'] as const),
  ...(['derived_at', 'derived', 'derive_attempts', 'derive_until'] as const),
  ...ENCODER_COLUMNS,
]
type NotKept = (typeof NOT_KEPT)[number]
const kept = (row: MediaRow) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !NOT_KEPT.includes(column as NotKept))) as Omit<
    MediaRow,
    NotKept
  >

/** `media_nr` is the number that a restore gives back; null if it stays with the path. */
export type LeavingRow = MediaRow & { media_nr: number | null }

/**
 * Writes the entries and returns their trash numbers by content id. The caller removes the rows from the
 * library in the same transaction. The objects stay until relocated: call `relocations.kick()` after the
 * commit.
 */
export async function enterTrash(
  tx: Queries,
  rows: readonly LeavingRow[],
  { by, at, reason: removal_reason }: { by: Actor; at: number; reason: TrashReason },
): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map()
  const deleted_by = actorText(nameActor(by))
  const entered = await tx
    .insertInto('trash')
    .values(
      rows.map(row => ({ ...kept(row), media_nr: row.media_nr, deleted_at: at, deleted_by, removal_reason })),
    )
    .returning(['nr', 'id'])
    .execute()
  return new Map(entered.map(({ nr, id }) => [id, nr]))
}
