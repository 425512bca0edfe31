/** Reads and writes the rows of media files, and puts objects that a change lets go on the discard list. */
import type { Insertable, Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { MediaTable } from '../../database/schema.ts'
import { together } from '../../database/together.ts'
import { previewName, variantName } from '../../storage/names.ts'

export type MediaRow = Selectable<MediaTable>

/** The columns that a row of the library and a row of the trash have in common: both rows own objects. */
export type OwnerRow = Pick<MediaRow, 'nr' | 'id' | 'path'> & Owned

/** The columns that name the objects of a row. */
export type Owned = Pick<MediaRow, (typeof OWNED)[number]>
export const OWNED = ['object', 'variant_size', 'preview_size', 'variant_mark', 'preview_mark'] as const

export async function findByPath(db: Queries, path: string): Promise<MediaRow | null> {
  return (await db.selectFrom('media').selectAll().where('path', '=', path).executeTakeFirst()) ?? null
}

export async function findById(db: Queries, id: string): Promise<MediaRow | null> {
  return (await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function findByNr(db: Queries, nr: number): Promise<MediaRow | null> {
  return (await db.selectFrom('media').selectAll().where('nr', '=', nr).executeTakeFirst()) ?? null
}

/** A new file keeps the number and the retrievals of the file it replaces: both belong to the address. */
export async function putRow(tx: Queries, row: Insertable<MediaTable>): Promise<number> {
  const { nr } = await tx
    .insertInto('media')
    .values(row)
    .onConflict(conflict =>
      conflict.column('path').doUpdateSet({
        ...row,
        width: null,
        height: null,
        duration: null,
        derive_attempts: 0,
        derive_until: null,
        variant_size: null,
        preview_size: null,
        variant_mark: null,
        preview_mark: null,
        variant_encoder: null,
        preview_encoder: null,
      }),
    )
    .returning('nr')
    .executeTakeFirstOrThrow()
  return nr
}

export async function deleteRows(tx: Queries, rows: readonly MediaRow[]): Promise<void> {
  const numbers = rows.map(({ nr }) => nr)
  await together(
    tx.deleteFrom('media').where('nr', 'in', numbers).execute(),
    tx.deleteFrom('relocation').where('media_nr', 'in', numbers).execute(),
  )
}

/** Every object that a row owns. */
export const objectsOf = (row: Owned): string[] => [row.object, ...derivedOf(row)]

/** The derived files that a row owns. */
export function derivedOf({ object, variant_size, preview_size, ...marks }: Owned): string[] {
  return [
    ...(variant_size === null ? [] : [variantName(object, marks.variant_mark)]),
    ...(preview_size === null ? [] : [previewName(object, marks.preview_mark)]),
  ]
}

export async function discardObjects(tx: Queries, objects: readonly string[], dueAt: number): Promise<void> {
  if (objects.length === 0) return
  await tx
    .insertInto('discard')
    .values(objects.map(object => ({ object, due_at: dueAt })))
    .execute()
}
