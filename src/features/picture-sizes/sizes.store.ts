/** Rows of pictures in the configured sizes. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { MINUTE } from '../../contract/values/units.ts'
import { compileOnce } from '../../database/compile-once.ts'
import type { Queries } from '../../database/database.ts'
import type { PictureSizeTable } from '../../database/schema.ts'
import { discardObjects } from '../media/media.store.ts'

export type SizeRow = Selectable<PictureSizeTable>

/** Milliseconds after which a picture whose decoder crashed (problem `lost`) is tried again. */
const CRASH_RETRY_DELAY = 10 * MINUTE

interface SizeKey {
  /** Content id of the file. */
  source: string
  /** Key of the size and format, made by `sizeKey`. */
  spec: string
  /** Key of a problem that concerns every size of the file, such as damage; made by `fileProblemKey`. */
  problemKey: string
}

const selectSizes = compileOnce((db, { source, spec, problemKey }: SizeKey) =>
  db
    .selectFrom('picture_size')
    .selectAll()
    .where('source', '=', source)
    .where('spec', 'in', [spec, problemKey]),
)

/**
 * The row of the picture, or of the problem that prevents making it. Null if there is no row, or if the
 * decoder crashed at least `CRASH_RETRY_DELAY` ago.
 */
export async function findSizeRow(db: Queries, key: SizeKey, now: number): Promise<SizeRow | null> {
  const rows = await selectSizes(db, key)
  return (
    rows.find(({ problem, made_at }) => problem !== 'lost' || Math.abs(now - made_at) < CRASH_RETRY_DELAY) ??
    null
  )
}

/**
 * Writes the row; replaces an earlier one with the same `source` and `spec`, and discards its object. If no
 * file has the content id `source` any more, discards the object of `row` too and returns null.
 */
export async function putSizeRow(
  tx: Queries,
  row: Insertable<PictureSizeTable>,
  dueAt: number,
): Promise<SizeRow | null> {
  const deletedRows = await tx
    .deleteFrom('picture_size')
    .where('source', '=', row.source)
    .where('spec', '=', row.spec)
    .returning('object')
    .execute()
  const owner = await tx.selectFrom('media').select('nr').where('id', '=', row.source).executeTakeFirst()
  const replacedObjects = deletedRows.flatMap(({ object }) => object ?? [])
  const unownedObjects = !owner && row.object ? [row.object] : []
  await discardObjects(tx, [...replacedObjects, ...unownedObjects], dueAt)
  if (!owner) return null
  return tx.insertInto('picture_size').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Removes the rows and discards their objects. */
export async function deleteSizeRows(
  tx: Queries,
  rowNumbers: readonly number[],
  dueAt: number,
): Promise<void> {
  const deletedRows = await tx
    .deleteFrom('picture_size')
    .where('nr', 'in', rowNumbers)
    .returning('object')
    .execute()
  await discardObjects(
    tx,
    deletedRows.flatMap(({ object }) => object ?? []),
    dueAt,
  )
}

export async function totalPictureBytes(db: Queries): Promise<number> {
  const { bytes } = await db
    .selectFrom('picture_size')
    .select(sql<number | string>`coalesce(sum(size), 0)`.as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Lists at most `limit` pictures, those first that nobody has requested for the longest time. */
export const listLeastRecentlyRequested = (db: Queries, limit: number) =>
  db
    .selectFrom('picture_size')
    .select(['nr', 'size'])
    .orderBy('asked_at')
    .orderBy('nr')
    .limit(limit)
    .execute()

export async function setRequestTime(
  tx: Queries,
  rowNumbers: readonly number[],
  requestedAt: number,
): Promise<void> {
  await tx.updateTable('picture_size').set({ asked_at: requestedAt }).where('nr', 'in', rowNumbers).execute()
}
