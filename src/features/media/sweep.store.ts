/** Who owns which objects, for the sweep. */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { NOT_IN_STORE } from './following.ts'
import type { OwnerRow } from './media.store.ts'

export interface Owner extends Pick<OwnerRow, 'id' | 'object' | 'variant_size' | 'preview_size'> {
  /** Objects of this file may be made or linked right now, before its row names them. */
  busy: boolean
}

/**
 * Library and trash in one statement, which sees one moment: with two of them, a file that is thrown away or restored
 * in between would be in neither, and its object nobody's.
 */
export async function ownersOf(db: Queries, ids: readonly string[]): Promise<Owner[]> {
  const rows = await db
    .selectFrom('media')
    .leftJoin('relocation', 'relocation.media_nr', 'media.nr')
    .select(['id', 'object', 'variant_size', 'preview_size'])
    .select(sql<number>`case when media_nr is not null or derived = 'pending' then 1 else 0 end`.as('busy'))
    .where('id', 'in', ids)
    .unionAll(
      db
        .selectFrom('trash')
        .select(['id', 'object', 'variant_size', 'preview_size'])
        .select(sql<number>`case when ${NOT_IN_STORE} then 1 else 0 end`.as('busy'))
        .where('id', 'in', ids),
    )
    .execute()
  return rows.map(row => ({ ...row, busy: row.busy === 1 }))
}

/** A page of files and what their rows point at, in the order of numbers. */
export function objectsBehind(
  db: Queries,
  table: 'media' | 'trash',
  after: number,
  limit: number,
): Promise<{ nr: number; path: string; object: string }[]> {
  const rows = db.selectFrom(table).select(['nr', 'path', 'object'])
  return rows.where('nr', '>', after).orderBy('nr').limit(limit).execute()
}

/** What the row points at now; undefined when it is gone. */
export async function objectOf(
  db: Queries,
  table: 'media' | 'trash',
  nr: number,
): Promise<string | undefined> {
  return (await db.selectFrom(table).select('object').where('nr', '=', nr).executeTakeFirst())?.object
}
