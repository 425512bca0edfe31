/**
 * Finds rows whose object names do not match the path of the file, and updates the rows after the objects
 * have been moved. In the library, such rows result from renaming and restoring; in the trash, every new row
 * is one.
 */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { DERIVATIONS, DERIVED_PARTS, emptyPartColumns } from '../../storage/derived-parts.ts'
import { objectName, parseObjectName, trashObjectName } from '../../storage/names.ts'
import { findByNr, OBJECT_COLUMNS, type ObjectColumns, type OwnerRow } from './media.store.ts'

export interface RelocationSource {
  /** The next rows with a number above `afterNr`, ordered by number. */
  nextRows(db: Queries, afterNr: number, limit: number): Promise<OwnerRow[]>
  findRow(tx: Queries, nr: number): Promise<OwnerRow | null>
  /** True if the object needs no move. */
  isInPlace(row: OwnerRow): boolean
  /**
   * The name to which the object is moved. `uniqueMark` makes the name unique, because a name must never be
   * used twice.
   */
  targetName(row: OwnerRow, uniqueMark: string): string
  /** The size columns of those derived files that are discarded instead of moved, with null as the value. */
  discardedColumns: Partial<ObjectColumns>
  /**
   * Writes the new name of the object and the `discardedColumns` into the row. In the library, also removes
   * the file from the relocation list, unless its path has changed since `row` was read. `object` is left out
   * if the row needs no move.
   */
  recordRelocation(tx: Queries, row: OwnerRow, object?: string): Promise<void>
}

/** Files on the relocation list. */
export const librarySource: RelocationSource = {
  nextRows: (db, afterNr, limit) =>
    db
      .selectFrom('relocation')
      .innerJoin('media', 'media.nr', 'relocation.media_nr')
      .select(['nr', 'id', 'path', ...OBJECT_COLUMNS])
      // Ordered by `relocation.media_nr`. Ordered by `media.nr`, SQLite would scan all files.
      .where('relocation.media_nr', '>', afterNr)
      .orderBy('relocation.media_nr')
      .limit(limit)
      .execute(),
  findRow: findByNr,
  /**
   * Whether the name of the object already fits the path of the file: the file was renamed back to its
   * earlier path, or overwritten after it was renamed (new content is stored under the current path).
   */
  isInPlace({ object, path }) {
    const parsedName = parseObjectName(object)
    return parsedName?.path === path && parsedName.trashNr === undefined
  },
  targetName: (row, uniqueMark) => objectName(row.path, row.id, uniqueMark),
  discardedColumns: {},
  async recordRelocation(tx, row, object) {
    if (object !== undefined) await tx.updateTable('media').set({ object }).where('nr', '=', row.nr).execute()
    // The file stays on the list if its path has changed since `row` was read.
    const currentRow = await findByNr(tx, row.nr)
    if (currentRow?.path === row.path)
      await tx.deleteFrom('relocation').where('media_nr', '=', row.nr).execute()
  },
}

/**
 * The condition that the object of a trash row is not in the folder `trash/` of the store yet. The spelling
 * must match the condition of the partial index; otherwise the database does not use the index.
 */
export const NOT_IN_TRASH_FOLDER = sql<boolean>`substr(object, 1, 6) <> 'trash/'`

const DISCARDED_COLUMNS = emptyPartColumns(DERIVED_PARTS.filter(part => !DERIVATIONS[part].isKeptInTrash))

/** Files in the trash whose objects are not in the folder `trash/` of the store yet. */
export const trashSource: RelocationSource = {
  nextRows: (db, afterNr, limit) =>
    db
      .selectFrom('trash')
      .select(['nr', 'id', 'path', ...OBJECT_COLUMNS])
      .where(NOT_IN_TRASH_FOLDER)
      .where('nr', '>', afterNr)
      .orderBy('nr')
      .limit(limit)
      .execute(),
  findRow: async (tx, nr) =>
    (await tx.selectFrom('trash').selectAll().where('nr', '=', nr).executeTakeFirst()) ?? null,
  isInPlace: () => false,
  targetName: (row, uniqueMark) => trashObjectName(row.nr, row.path, row.id, uniqueMark),
  discardedColumns: DISCARDED_COLUMNS,
  async recordRelocation(tx, row, object) {
    if (object !== undefined)
      await tx
        .updateTable('trash')
        .set({ object, ...DISCARDED_COLUMNS })
        .where('nr', '=', row.nr)
        .execute()
  },
}
