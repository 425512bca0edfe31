/** Reads and writes the rows of media files; also adds objects to the discard list. */
import type { Insertable, Selectable } from 'kysely'
import { awaitAll } from '../../database/await-all.ts'
import { compileOnce } from '../../database/compile-once.ts'
import type { Queries } from '../../database/database.ts'
import { naturalKey } from '../../database/natural-key.ts'
import type { MediaTable } from '../../database/schema.ts'
import { DERIVED_COLUMNS, DERIVED_PARTS, ENCODER_COLUMNS } from '../../storage/derived-parts.ts'
import { derivedObject } from '../../storage/names.ts'

export type MediaRow = Selectable<MediaTable>

/** The columns of a row that owns objects, in the library or in the trash. */
export type OwnerRow = Pick<MediaRow, 'nr' | 'id' | 'path'> & ObjectColumns

/** The columns that determine the names of a row's objects. */
export type ObjectColumns = Pick<MediaRow, (typeof OBJECT_COLUMNS)[number]>
export const OBJECT_COLUMNS = ['object' as const, ...DERIVED_COLUMNS]

const selectByPath = compileOnce((db, { path }: { path: string }) =>
  db.selectFrom('media').selectAll().where('path', '=', path),
)

export async function findByPath(db: Queries, path: string): Promise<MediaRow | null> {
  return (await selectByPath(db, { path }))[0] ?? null
}

export async function findById(db: Queries, id: string): Promise<MediaRow | null> {
  return (await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function findByNr(db: Queries, nr: number): Promise<MediaRow | null> {
  return (await db.selectFrom('media').selectAll().where('nr', '=', nr).executeTakeFirst()) ?? null
}

const SECOND = 1000

/**
 * The time since which a path has its current content, in milliseconds, rounded down to a second, for
 * `Last-Modified`.
 */
export const placementTime = ({ updated_at, placed_at }: Pick<MediaRow, 'updated_at' | 'placed_at'>) =>
  floorToSecond(Math.max(updated_at, placed_at ?? updated_at))

export const floorToSecond = (time: number) => Math.floor(time / SECOND) * SECOND

/**
 * The placement time for new content: at least a second after that of `earlierRow`, so that no two contents
 * of a path have the same `Last-Modified`.
 */
export const nextPlacementTime = (earlierRow: Pick<MediaRow, 'updated_at' | 'placed_at'>, time: number) =>
  Math.max(time, placementTime(earlierRow) + SECOND)

/**
 * Values of the columns for dimensions, duration and derived files of new content, before anything is derived
 * from it.
 */
const UNDERIVED_VALUES = {
  width: null,
  height: null,
  duration: null,
  derived_at: null,
  derive_attempts: 0,
  ...Object.fromEntries([...DERIVED_COLUMNS, ...ENCODER_COLUMNS].map(column => [column, null])),
}

type NewRow = Insertable<MediaTable>

const pickColumns = (columns: readonly (keyof NewRow)[], values: NewRow) =>
  Object.fromEntries(columns.map(column => [column, values[column]])) as unknown as NewRow

const createPutStatements = (columns: readonly (keyof NewRow)[]) => ({
  insert: compileOnce((db, values: NewRow) =>
    db.insertInto('media').values(pickColumns(columns, values)).returning('nr'),
  ),
  replace: compileOnce((db, values: NewRow & { nr: number }) =>
    db
      .updateTable('media')
      .set({ ...pickColumns(columns, values), ...UNDERIVED_VALUES })
      .where('nr', '=', values.nr)
      .returning('nr'),
  ),
})
const putStatementsByColumns = new Map<string, ReturnType<typeof createPutStatements>>()

/**
 * Writes the row of a new file. If the path has a row already (`earlierRow`), that row is updated: its number
 * and its retrievals belong to the path and are kept. `earlierRow` is null if the caller has found no row at
 * the path. If the caller leaves it out, the path is looked up here. `on conflict` is not used, because
 * PostgreSQL would then run the triggers for new rows and those for changed rows, which makes writing a row
 * 50 % more expensive.
 */
export async function putRow(
  tx: Queries,
  row: NewRow,
  earlierRow?: Pick<MediaRow, 'nr'> | null,
): Promise<number> {
  const values = { ...row, natural_key: naturalKey(row.path) }
  const columns = Object.keys(values) as (keyof NewRow)[]
  const key = columns.join()
  const { insert, replace } = putStatementsByColumns.get(key) ?? createPutStatements(columns)
  putStatementsByColumns.set(key, { insert, replace })
  const existingRow = earlierRow === undefined ? await findByPath(tx, row.path) : earlierRow
  const writtenRows = await (existingRow
    ? replace(tx, { ...values, nr: existingRow.nr })
    : insert(tx, values))
  return writtenRows[0]!.nr
}

export async function deleteRows(tx: Queries, rows: readonly MediaRow[]): Promise<void> {
  const rowNumbers = rows.map(({ nr }) => nr)
  await awaitAll(
    tx.deleteFrom('media').where('nr', 'in', rowNumbers).execute(),
    tx.deleteFrom('relocation').where('media_nr', 'in', rowNumbers).execute(),
  )
}

export const objectsOf = (row: ObjectColumns): string[] => [row.object, ...derivedObjectsOf(row)]

export const derivedObjectsOf = (row: ObjectColumns): string[] =>
  DERIVED_PARTS.flatMap(part => derivedObject(part, row)?.name ?? [])

export async function discardObjects(tx: Queries, objects: readonly string[], dueAt: number): Promise<void> {
  if (objects.length === 0) return
  await tx
    .insertInto('discard')
    .values(objects.map(object => ({ object, due_at: dueAt })))
    .execute()
}
