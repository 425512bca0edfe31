/**
 * Finds rows whose objects are not where they belong, and updates the rows. In the library such rows come
 * from renaming and restoring; in the trash every new row is one.
 */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { DERIVATIONS, DERIVED_PARTS, withoutParts } from '../../storage/derived-parts.ts'
import { objectName, parseName, trashName } from '../../storage/names.ts'
import { findByNr, OBJECT_COLUMNS, type ObjectColumns, type OwnerRow } from './media.store.ts'

export interface Following {
  /** The next rows, with a higher number than `after`, by number. */
  next(db: Queries, after: number, limit: number): Promise<OwnerRow[]>
  find(tx: Queries, nr: number): Promise<OwnerRow | null>
  /** True if the object is where it belongs. */
  inPlace(row: OwnerRow): boolean
  /** The name under which the object belongs; `mark` makes it a name that was never used. */
  target(row: OwnerRow, mark: string): string
  /** The columns of derived files that are discarded instead of moved along. */
  letGo: Partial<ObjectColumns>
  /**
   * Points the row at its new object and takes the row off the list. Without `object` the row is in place
   * already.
   */
  settle(tx: Queries, row: OwnerRow, object?: string): Promise<void>
}

/** Files on the relocation list. */
export const libraryFollowing: Following = {
  next: (db, after, limit) =>
    db
      .selectFrom('relocation')
      .innerJoin('media', 'media.nr', 'relocation.media_nr')
      .select(['nr', 'id', 'path', ...OBJECT_COLUMNS])
      // Ordered by the number in the list itself: by the number in `media`, SQLite would walk through all
      // files.
      .where('relocation.media_nr', '>', after)
      .orderBy('relocation.media_nr')
      .limit(limit)
      .execute(),
  find: findByNr,
  /** True for a file that was renamed back, or overwritten since. */
  inPlace({ object, path }) {
    const parsed = parseName(object)
    return parsed?.path === path && parsed.trashNr === undefined
  },
  target: (row, mark) => objectName(row.path, row.id, mark),
  letGo: {},
  async settle(tx, row, object) {
    if (object !== undefined) await tx.updateTable('media').set({ object }).where('nr', '=', row.nr).execute()
    // The file stays on the list if its path has changed since `row` was read.
    const current = await findByNr(tx, row.nr)
    if (current?.path === row.path) await tx.deleteFrom('relocation').where('media_nr', '=', row.nr).execute()
  },
}

/** Must be spelled exactly as in the partial index, which is used only then. */
export const NOT_IN_STORE = sql<boolean>`substr(object, 1, 6) <> 'trash/'`

const NOT_IN_TRASH = withoutParts(DERIVED_PARTS.filter(part => !DERIVATIONS[part].inTrash))

/** Files in the trash whose objects are still in the library. */
export const trashFollowing: Following = {
  next: (db, after, limit) =>
    db
      .selectFrom('trash')
      .select(['nr', 'id', 'path', ...OBJECT_COLUMNS])
      .where(NOT_IN_STORE)
      .where('nr', '>', after)
      .orderBy('nr')
      .limit(limit)
      .execute(),
  find: async (tx, nr) =>
    (await tx.selectFrom('trash').selectAll().where('nr', '=', nr).executeTakeFirst()) ?? null,
  inPlace: () => false,
  target: (row, mark) => trashName(row.nr, row.path, row.id, mark),
  letGo: NOT_IN_TRASH,
  async settle(tx, row, object) {
    if (object !== undefined)
      await tx
        .updateTable('trash')
        .set({ object, ...NOT_IN_TRASH })
        .where('nr', '=', row.nr)
        .execute()
  },
}
