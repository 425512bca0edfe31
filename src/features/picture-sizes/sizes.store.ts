/** Rows of pictures in the configured sizes. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { MINUTE } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import { keptQuery } from '../../database/kept-query.ts'
import type { PictureSizeTable } from '../../database/schema.ts'
import { discardObjects } from '../media/media.store.ts'

export type SizeRow = Selectable<PictureSizeTable>

/** Milliseconds after which a picture whose decoder was lost is tried again. */
const RETRY_LOST = 10 * MINUTE

interface SizeKey {
  source: string
  /** The size in its format (`specOf`). */
  spec: string
  /** What holds for every size of the file (`verdictSpec`). */
  verdict: string
}

const selectSizes = keptQuery((db, { source, spec, verdict }: SizeKey) =>
  db.selectFrom('picture_size').selectAll().where('source', '=', source).where('spec', 'in', [spec, verdict]),
)

/**
 * The picture, or why there is none. Null if it was never tried, or if its decoder was lost long enough ago.
 */
export async function findSize(db: Queries, key: SizeKey, now: number): Promise<SizeRow | null> {
  const rows = await selectSizes(db, key)
  return (
    rows.find(({ problem, made_at }) => problem !== 'lost' || Math.abs(now - made_at) < RETRY_LOST) ?? null
  )
}

/** Writes the row in place of an earlier one of the same spec. Null if no file has this content any more. */
export async function putSize(
  tx: Queries,
  row: Insertable<PictureSizeTable>,
  dueAt: number,
): Promise<SizeRow | null> {
  const earlier = await tx
    .deleteFrom('picture_size')
    .where('source', '=', row.source)
    .where('spec', '=', row.spec)
    .returning('object')
    .execute()
  const living = await tx.selectFrom('media').select('nr').where('id', '=', row.source).executeTakeFirst()
  const replaced = earlier.flatMap(({ object }) => object ?? [])
  const unowned = !living && row.object ? [row.object] : []
  await discardObjects(tx, [...replaced, ...unowned], dueAt)
  if (!living) return null
  return tx.insertInto('picture_size').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Removes the rows and discards their objects. */
export async function dropSizes(tx: Queries, numbers: readonly number[], dueAt: number): Promise<void> {
  const gone = await tx.deleteFrom('picture_size').where('nr', 'in', numbers).returning('object').execute()
  await discardObjects(
    tx,
    gone.flatMap(({ object }) => object ?? []),
    dueAt,
  )
}

export async function bytesOfSizes(db: Queries): Promise<number> {
  const { bytes } = await db
    .selectFrom('picture_size')
    .select(sql<number | string>`coalesce(sum(size), 0)`.as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** The pictures that nobody has requested for the longest time. */
export const longestUnasked = (db: Queries, limit: number) =>
  db
    .selectFrom('picture_size')
    .select(['nr', 'size'])
    .orderBy('asked_at')
    .orderBy('nr')
    .limit(limit)
    .execute()

export async function markAsked(tx: Queries, numbers: readonly number[], at: number): Promise<void> {
  await tx.updateTable('picture_size').set({ asked_at: at }).where('nr', 'in', numbers).execute()
}
