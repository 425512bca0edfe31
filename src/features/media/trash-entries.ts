/** Writes the trash rows of deleted files and of replaced contents. */
import { actorText } from '../../contract/accounts/actors.ts'
import type { TrashReason } from '../../contract/files/choices.ts'
import type { Queries } from '../../database/database.ts'
import type { TrashTable } from '../../database/schema.ts'
import { type Actor, nameActor } from '../../http/access/actor.ts'
import { DERIVED_COLUMNS } from '../../storage/derived-parts.ts'
import type { MediaRow } from './media.store.ts'

/**
 * The columns that the trash takes over from the library, and that restoring gives back. Derived files are
 * remade when a file is restored, so their state is not among them. The columns are listed, because while
 * versions are running side by side, the tables may have further columns of the newer version.
 */
export const COLUMNS_KEPT_IN_TRASH = [
  'id',
  'path',
  'object',
  'size',
  'sha256',
  'mime',
  'kind',
  'token_id',
  'created_at',
  'updated_at',
  'width',
  'height',
  'duration',
  'retrievals',
  'retrieved_at',
  ...DERIVED_COLUMNS,
] as const satisfies (keyof MediaRow & keyof TrashTable)[]
type KeptColumn = (typeof COLUMNS_KEPT_IN_TRASH)[number]

const KEPT_COLUMN_NAMES: ReadonlySet<string> = new Set(COLUMNS_KEPT_IN_TRASH)

/** The values of these columns in a row of the library or of the trash. */
export const keptColumns = <Row extends Pick<MediaRow, KeptColumn>>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => KEPT_COLUMN_NAMES.has(column))) as Pick<
    Row,
    KeptColumn
  >

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
