/** Rows whose objects lie elsewhere than they belong: in the library after a rename or restore, in the trash at first. */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { objectName, parseName, trashName } from '../../storage/names.ts'
import { findByNr, type OwnerRow } from './media.store.ts'

export interface Following {
  /** Those with a higher number than `after`, by number. */
  next(db: Queries, after: number, limit: number): Promise<OwnerRow[]>
  find(tx: Queries, nr: number): Promise<OwnerRow | null>
  /** Nothing has to be moved after all. */
  inPlace(row: OwnerRow): boolean
  /** Where the object belongs; `mark` makes the name a fresh one. */
  target(row: OwnerRow, mark: string): string
  /** Whether the WebP variant comes along; if not it is let go. */
  keepsVariant: boolean
  /** Points the row at its new object and takes it off the list; `object` is absent when it is in place. */
  settle(tx: Queries, row: OwnerRow, object?: string): Promise<void>
}

/** Files on the relocation list. */
export const libraryFollowing: Following = {
  next: (db, after, limit) =>
    db
      .selectFrom('relocation')
      .innerJoin('media', 'media.nr', 'relocation.media_nr')
      .select(['nr', 'id', 'path', 'object', 'variant_size', 'preview_size'])
      .where('media.nr', '>', after)
      .orderBy('media.nr')
      .limit(limit)
      .execute(),
  find: findByNr,
  /** Renamed there and back, or overwritten since. */
  inPlace({ object, path }) {
    const parsed = parseName(object)
    return parsed?.path === path && parsed.trashNr === undefined
  },
  target: (row, mark) => objectName(row.path, row.id, mark),
  keepsVariant: true,
  async settle(tx, row, object) {
    if (object !== undefined) await tx.updateTable('media').set({ object }).where('nr', '=', row.nr).execute()
    // Stays on the list when its path has changed since `row` was read.
    const current = await findByNr(tx, row.nr)
    if (current?.path === row.path) await tx.deleteFrom('relocation').where('media_nr', '=', row.nr).execute()
  },
}

/** Written as in the index of the same meaning, which is used only then. */
export const NOT_IN_STORE = sql<boolean>`substr(object, 1, 6) <> 'trash/'`

/** Files in the trash whose objects still lie in the library. Nobody asks for a variant there, so it goes. */
export const trashFollowing: Following = {
  next: (db, after, limit) =>
    db
      .selectFrom('trash')
      .select(['nr', 'id', 'path', 'object', 'variant_size', 'preview_size'])
      .where(NOT_IN_STORE)
      .where('nr', '>', after)
      .orderBy('nr')
      .limit(limit)
      .execute(),
  find: async (tx, nr) =>
    (await tx.selectFrom('trash').selectAll().where('nr', '=', nr).executeTakeFirst()) ?? null,
  inPlace: () => false,
  target: (row, mark) => trashName(row.nr, row.path, row.id, mark),
  keepsVariant: false,
  async settle(tx, row, object) {
    if (object !== undefined)
      await tx.updateTable('trash').set({ object, variant_size: null }).where('nr', '=', row.nr).execute()
  },
}
