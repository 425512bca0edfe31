/** Figures that the database keeps up to date by itself, and short lists out of an index: cheap with a million files. */
import { type Selectable, sql } from 'kysely'
import type { Kind } from '../../contract/kinds.ts'
import type { Queries } from '../../database/database.ts'
import type { MediaTable } from '../../database/schema.ts'

const COLUMNS = ['path', 'size', 'kind', 'updated_at', 'retrievals', 'retrieved_at', 'preview_size'] as const
export type ListedFile = Pick<Selectable<MediaTable>, (typeof COLUMNS)[number]>

export async function usageByKind(db: Queries): Promise<Map<Kind, { files: number; bytes: number }>> {
  const rows = await db.selectFrom('kind_usage').selectAll().execute()
  return new Map(rows.map(({ kind, files, bytes }) => [kind, { files: Number(files), bytes: Number(bytes) }]))
}

export async function retrievalsSince(db: Queries, day: string): Promise<Map<string, number>> {
  const rows = await db.selectFrom('retrieval_day').selectAll().where('day', '>=', day).execute()
  return new Map(rows.map(({ day, retrievals }) => [day, Number(retrievals)]))
}

const files = (db: Queries, limit: number) => db.selectFrom('media').select(COLUMNS).limit(limit)

export const newestFiles = (db: Queries, limit: number): Promise<ListedFile[]> =>
  files(db, limit).orderBy('updated_at', 'desc').execute()

// The conditions are literals: only so the engine sees that a partial index answers them.
export const mostRetrieved = (db: Queries, limit: number): Promise<ListedFile[]> =>
  files(db, limit).where(sql<boolean>`retrievals > 0`).orderBy('retrievals', 'desc').execute()

export const neverRetrieved = (db: Queries, limit: number): Promise<ListedFile[]> =>
  files(db, limit).where(sql<boolean>`retrievals = 0`).orderBy('updated_at', 'desc').execute()

export async function countNeverRetrieved(db: Queries): Promise<number> {
  const { count } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where(sql<boolean>`retrievals = 0`)
    .executeTakeFirstOrThrow()
  return Number(count)
}
