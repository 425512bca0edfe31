/**
 * The queries of the statistics. Totals come from figures per day. Those of a part are added up from the days
 * of its files, so that they are right after files were moved.
 */
import { sql } from 'kysely'
import type { Queries, QueryTraits } from '../../database/database.ts'
import { whereBelow } from '../folders/folder-keys.ts'
import { LISTED_COLUMNS, type ListedFile } from './overview.store.ts'

export type { ListedFile } from './overview.store.ts'

const sum = sql<number | string>`sum(retrieval_file_day.retrievals)`

/**
 * Begins with the files and looks up their days, which are adjacent. `cross join` makes SQLite keep this
 * order: the other takes twenty times as long with a million days.
 */
const fileDays = (db: Queries, since: string) =>
  db
    .selectFrom('media')
    .crossJoin('retrieval_file_day')
    .whereRef('retrieval_file_day.media_nr', '=', 'media.nr')
    .where('day', '>=', since)

export async function retrievalsBelow(db: Queries, key: string, since: string): Promise<Map<string, number>> {
  let query = fileDays(db, since).select(['day', sum.as('retrievals')])
  for (const condition of whereBelow('path', key)) query = query.where(condition)
  const rows = await query.groupBy('day').execute()
  return new Map(rows.map(({ day, retrievals }) => [day, Number(retrievals)]))
}

export async function retrievalsOfFile(db: Queries, nr: number, since: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('retrieval_file_day')
    .select(['day', 'retrievals'])
    .where('media_nr', '=', nr)
    .where('day', '>=', since)
    .execute()
  return new Map(rows.map(({ day, retrievals }) => [day, Number(retrievals)]))
}

export interface Share {
  /** The folder directly inside; empty for files in no further folder. */
  name: string
  token_id: string | null
  retrievals: number
}

/**
 * Retrievals below a folder, by direct subfolder and by token. Each file's days are added up before grouping:
 * grouping a million days takes seconds. For the top folder the days are read in their own order, and only
 * files with days are looked up: a third of the processor time with 100 000 files and a million days.
 */
export async function retrievalShares(
  db: Queries,
  { firstSegment }: QueryTraits,
  key: string,
  since: string,
): Promise<Share[]> {
  const name = firstSegment('folder', key.length)
  const rows = await db
    .selectFrom(
      (key === '' ? retrievalsOfAllFiles(db, since) : retrievalsOfFilesBelow(db, key, since)).as('each'),
    )
    .select([name.as('name'), 'token_id', sql<number | string | null>`sum(retrievals)`.as('retrievals')])
    .groupBy([name, 'token_id'])
    .execute()
  return rows.map(row => ({ ...row, retrievals: Number(row.retrievals ?? 0) }))
}

function retrievalsOfAllFiles(db: Queries, since: string) {
  const counted = db
    .selectFrom('retrieval_file_day')
    .select(['media_nr', sum.as('retrievals')])
    .where('day', '>=', since)
    .groupBy('media_nr')
  return db
    .selectFrom(counted.as('counted'))
    .innerJoin('media', 'media.nr', 'counted.media_nr')
    .select(['folder', 'token_id', 'counted.retrievals'])
}

function retrievalsOfFilesBelow(db: Queries, key: string, since: string) {
  const ofFile = sql<number | string>`(select ${sum} from retrieval_file_day
    where retrieval_file_day.media_nr = media.nr and retrieval_file_day.day >= ${since})`
  let each = db.selectFrom('media').select(['folder', 'token_id', ofFile.as('retrievals')])
  for (const condition of whereBelow('folder', key)) each = each.where(condition)
  return each
}

/** What was stored when each of these days began. */
export async function usageSince(db: Queries, day: string) {
  const rows = await db.selectFrom('usage_day').selectAll().where('day', '>=', day).execute()
  return new Map(
    rows.map(({ day, files, bytes }) => [day, { files: Number(files), bytes: Number(bytes) }] as const),
  )
}

function filesBelow(db: Queries, key: string, limit: number) {
  let query = db.selectFrom('media').select(LISTED_COLUMNS).limit(limit)
  for (const condition of whereBelow('path', key)) query = query.where(condition)
  return query
}

export const largestFiles = (db: Queries, key: string, limit: number): Promise<ListedFile[]> =>
  filesBelow(db, key, limit).orderBy('size', 'desc').execute()

/** Longest ago first, by last retrieval, or by upload if never retrieved. Two indexes have these orders. */
export async function stalestFiles(db: Queries, key: string, limit: number): Promise<ListedFile[]> {
  const never = await filesBelow(db, key, limit)
    .where(sql<boolean>`retrievals < 1`)
    .orderBy('updated_at')
    .execute()
  const once = await filesBelow(db, key, limit)
    .where('retrieved_at', 'is not', null)
    .orderBy('retrieved_at')
    .execute()
  const since = ({ retrieved_at, updated_at }: ListedFile) => retrieved_at ?? updated_at
  return [...never, ...once].sort((one, other) => since(one) - since(other)).slice(0, limit)
}

/** Records the first figure of a day; an existing one stays. */
export async function noteUsage(
  tx: Queries,
  day: string,
  usage: { files: number; bytes: number },
): Promise<void> {
  await tx
    .insertInto('usage_day')
    .values({ day, ...usage })
    .onConflict(conflict => conflict.column('day').doNothing())
    .execute()
}
