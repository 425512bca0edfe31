/** Reads the rows that own objects, in the library and in the trash. */
import { sql } from 'kysely'
import { readPages } from '../../base/batches.ts'
import type { Queries } from '../../database/database.ts'
import type { DerivedState, FileTableName } from '../../database/schema.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import { DERIVED_COLUMNS } from '../../storage/derived-parts.ts'
import { readAreaTotals } from '../folders/folders.store.ts'
import type { MediaRow } from '../media/media.store.ts'
import { NOT_IN_TRASH_FOLDER } from '../media/rows-to-relocate.ts'

const OWNER_COLUMNS = [
  'nr',
  'id',
  'path',
  'object',
  'size',
  'sha256',
  'mime',
  'updated_at',
  ...DERIVED_COLUMNS,
] as const

export interface Owner extends Pick<MediaRow, (typeof OWNER_COLUMNS)[number]> {
  place: FileTableName
  /** Always `done` in the trash, where no derived files are made any more. */
  derived: DerivedState
  /** Objects of this file may be made or linked right now, before its row refers to them. */
  isBusy: boolean
}

const OWNER_TABLES = ['media', 'trash'] as const satisfies FileTableName[]

const selectLibraryOwners = (db: Queries) =>
  db
    .selectFrom('media')
    .select([...OWNER_COLUMNS, 'derived'])
    .select(sql<FileTableName>`'media'`.as('place'))
    .select(
      sql<number>`case when derived = 'pending'
        or exists (select 1 from relocation where media_nr = media.nr) then 1 else 0 end`.as('busy'),
    )

const selectTrashOwners = (db: Queries) =>
  db
    .selectFrom('trash')
    .select(OWNER_COLUMNS)
    .select(sql<DerivedState>`'done'`.as('derived'))
    .select(sql<FileTableName>`'trash'`.as('place'))
    .select(sql<number>`case when ${NOT_IN_TRASH_FOLDER} then 1 else 0 end`.as('busy'))

const asOwner = <Row extends { busy: number }>(row: Row) => ({ ...row, isBusy: row.busy === 1 })

/** One page of owners in the library or in the trash: rows with `nr` > `afterNr`, ordered by `nr`. */
export async function readOwnerPage(
  db: Queries,
  place: FileTableName,
  afterNr: number,
  limit: number,
): Promise<Owner[]> {
  const rows =
    place === 'media'
      ? await selectLibraryOwners(db).where('nr', '>', afterNr).orderBy('nr').limit(limit).execute()
      : await selectTrashOwners(db).where('nr', '>', afterNr).orderBy('nr').limit(limit).execute()
  return rows.map(asOwner)
}

/** Every row that owns objects: the library, then the trash. */
export async function* walkOwners(db: Queries): AsyncGenerator<Owner> {
  for (const place of OWNER_TABLES) {
    const readPage = (lastOwner: Owner | undefined, limit: number) =>
      readOwnerPage(db, place, lastOwner?.nr ?? 0, limit)
    for await (const owners of readPages(readPage)) yield* owners
  }
}

/**
 * The owners with these content ids. One statement reads library and trash, so that both are read in the same
 * state. With two statements, a file that is deleted or restored in between would be found in neither, and
 * its object would seem to be an orphan.
 */
export async function findOwners(db: Queries, ids: readonly string[]): Promise<Owner[]> {
  const libraryQuery = selectLibraryOwners(db).where('id', 'in', ids)
  return (await libraryQuery.unionAll(selectTrashOwners(db).where('id', 'in', ids)).execute()).map(asOwner)
}

export const findOwner = async (db: Queries, id: string): Promise<Owner | null> =>
  (await findOwners(db, [id]))[0] ?? null

/**
 * False if the row is gone or names another object, for example because the file was deleted or its object
 * was moved since `owner` was read.
 */
export async function stillOwnsObject(db: Queries, { place, id, object }: Owner): Promise<boolean> {
  const row = await db.selectFrom(place).select('object').where('id', '=', id).executeTakeFirst()
  return row?.object === object
}

/**
 * Which of these objects are on the discard list: no row refers to them any more, and `media/discards.ts`
 * will remove them.
 */
export async function findDiscardedObjects(db: Queries, objects: readonly string[]): Promise<Set<string>> {
  if (objects.length === 0) return new Set()
  const rows = await db.selectFrom('discard').select('object').where('object', 'in', objects).execute()
  return new Set(rows.map(({ object }) => object))
}

/**
 * Which of these content ids belong to files of an earlier state of the library, which a restore has kept in
 * the store.
 */
export async function findKeptIds(db: Queries, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('kept').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export type FileAmount = Awaited<ReturnType<typeof totalFileAmount>>

/** Number and bytes of all files, including the trash, from the totals that the database maintains. */
export async function totalFileAmount(db: Queries) {
  const { files, bytes } = await readAreaTotals(db, WHOLE_LIBRARY)
  const trash = await db.selectFrom('trash_total').select(['files', 'bytes']).executeTakeFirstOrThrow()
  return { files: files + Number(trash.files), bytes: bytes + Number(trash.bytes) }
}

/** The object names under which unfinished uploads will be stored; rows may own these objects soon. */
export async function unfinishedUploadObjects(db: Queries): Promise<Set<string>> {
  const rows = await db.selectFrom('partial_upload').select('object').where('finished', '=', 0).execute()
  return new Set(rows.map(({ object }) => object))
}

/** Which of these objects are pictures in a configured size that a row of `picture_size` refers to. */
export async function findRecordedPictureSizes(
  db: Queries,
  objects: readonly string[],
): Promise<Set<string>> {
  if (objects.length === 0) return new Set()
  const rows = await db.selectFrom('picture_size').select('object').where('object', 'in', objects).execute()
  return new Set(rows.flatMap(({ object }) => object ?? []))
}
