/**
 * The queries of the statistics. Totals of the whole library come from figures per day. Totals of a folder or
 * an account are added up from the days of the files, so that they are right after files were moved.
 */
import { sql } from 'kysely'
import type { Queries, QueryTraits } from '../../database/database.ts'
import { type Area, isEverything } from '../../http/access/area.ts'
import { folderInside, whereWithin } from '../folders/folder-keys.ts'
import { LISTED_COLUMNS, type ListedFile, retrievalsSince } from './overview.store.ts'

export type { ListedFile } from './overview.store.ts'

const sum = sql<number | string>`sum(retrieval_file_day.retrievals)`

/**
 * The days of files. The query begins with the files and looks up their days, which are adjacent. `cross
 * join` makes SQLite keep this order: the opposite one takes twenty times as long with a million days.
 */
const fileDays = (db: Queries, since: string) =>
  db
    .selectFrom('media')
    .crossJoin('retrieval_file_day')
    .whereRef('retrieval_file_day.media_nr', '=', 'media.nr')
    .where('day', '>=', since)

/** Number of retrievals by day: stored totals for the whole library, or summed up for an area. */
export async function retrievalsIn(db: Queries, area: Area, since: string): Promise<Map<string, number>> {
  if (isEverything(area)) return retrievalsSince(db, since)
  let query = fileDays(db, since).select(['day', sum.as('retrievals')])
  for (const condition of whereWithin('path', area)) query = query.where(condition)
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

export interface RetrievalCount {
  /** The folder directly in the area; empty for files directly in the area. */
  name: string
  token_id: string | null
  retrievals: number
}

/**
 * Retrievals of an area, by direct subfolder and by token. Each file's days are added up before grouping:
 * grouping a million days takes seconds. For the whole library the days are read in their own order, and only
 * files with days are looked up: a third of the processor time with 100 000 files and a million days.
 */
export async function retrievalsByFolderAndToken(
  db: Queries,
  queries: QueryTraits,
  area: Area,
  since: string,
): Promise<RetrievalCount[]> {
  const name = folderInside(area, queries)
  const rows = await db
    .selectFrom(
      (isEverything(area) ? retrievalsOfAllFiles(db, since) : retrievalsOfFilesIn(db, area, since)).as(
        'each',
      ),
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

function retrievalsOfFilesIn(db: Queries, area: Area, since: string) {
  const ofFile = sql<number | string>`(select ${sum} from retrieval_file_day
    where retrieval_file_day.media_nr = media.nr and retrieval_file_day.day >= ${since})`
  let each = db.selectFrom('media').select(['folder', 'token_id', ofFile.as('retrievals')])
  for (const condition of whereWithin('folder', area)) each = each.where(condition)
  return each
}

/** What was stored when each of these days began. */
export async function usageSince(db: Queries, day: string) {
  const rows = await db.selectFrom('usage_day').selectAll().where('day', '>=', day).execute()
  return new Map(
    rows.map(({ day, files, bytes }) => [day, { files: Number(files), bytes: Number(bytes) }] as const),
  )
}

function filesIn(db: Queries, area: Area, limit: number) {
  let query = db.selectFrom('media').select(LISTED_COLUMNS).limit(limit)
  for (const condition of whereWithin('path', area)) query = query.where(condition)
  return query
}

export const largestFiles = (db: Queries, area: Area, limit: number): Promise<ListedFile[]> =>
  filesIn(db, area, limit).orderBy('size', 'desc').execute()

/**
 * The files that were not retrieved for the longest time; for a file that was never retrieved, its upload
 * counts. Two indexes have these orders.
 */
export async function stalestFiles(db: Queries, area: Area, limit: number): Promise<ListedFile[]> {
  const never = await filesIn(db, area, limit)
    .where(sql<boolean>`retrievals < 1`)
    .orderBy('updated_at')
    .execute()
  const once = await filesIn(db, area, limit)
    .where('retrieved_at', 'is not', null)
    .orderBy('retrieved_at')
    .execute()
  const staleSince = ({ retrieved_at, updated_at }: ListedFile) => retrieved_at ?? updated_at
  return [...never, ...once].sort((one, other) => staleSince(one) - staleSince(other)).slice(0, limit)
}

/** Records the first figure of a day; an existing one is kept. */
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
