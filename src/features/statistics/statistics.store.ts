/**
 * The queries of the statistics. Totals of the whole library come from stored figures per day. Totals of a
 * folder or of an account's area are added up from the files' daily counts, so that they stay right when
 * files are moved.
 */
import { sql } from 'kysely'
import type { Queries, QueryTraits } from '../../database/database.ts'
import { type Area, isWholeLibrary } from '../../http/access/library-area.ts'
import { subfolderExpression, whereInArea } from '../folders/folder-keys.ts'
import { dailyRetrievalsSince, LISTED_FILE_COLUMNS, type ListedFile } from './overview.store.ts'

export type { ListedFile } from './overview.store.ts'

const retrievalSum = sql<number | string>`sum(retrieval_file_day.retrievals)`

/**
 * Joins files with their daily counts. The query begins with the files and looks up the rows of each file,
 * which are adjacent. `cross join` makes SQLite keep this order: the opposite one takes twenty times as long
 * with a million rows.
 */
const selectDailyFileCounts = (db: Queries, firstDay: string) =>
  db
    .selectFrom('media')
    .crossJoin('retrieval_file_day')
    .whereRef('retrieval_file_day.media_nr', '=', 'media.nr')
    .where('day', '>=', firstDay)

/** Number of retrievals by day: from stored totals for the whole library, added up for any other area. */
export async function dailyRetrievalsIn(
  db: Queries,
  area: Area,
  firstDay: string,
): Promise<Map<string, number>> {
  if (isWholeLibrary(area)) return dailyRetrievalsSince(db, firstDay)
  let query = selectDailyFileCounts(db, firstDay).select(['day', retrievalSum.as('retrievals')])
  for (const condition of whereInArea('path', area)) query = query.where(condition)
  const rows = await query.groupBy('day').execute()
  return new Map(rows.map(({ day, retrievals }) => [day, Number(retrievals)]))
}

export async function dailyRetrievalsOfFile(
  db: Queries,
  nr: number,
  firstDay: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('retrieval_file_day')
    .select(['day', 'retrievals'])
    .where('media_nr', '=', nr)
    .where('day', '>=', firstDay)
    .execute()
  return new Map(rows.map(({ day, retrievals }) => [day, Number(retrievals)]))
}

export interface RetrievalCount {
  /**
   * Name of the subfolder directly in the area, or the path of a folder to which the account is limited (see
   * `subfolderExpression`); empty for files directly in the area.
   */
  name: string
  token_id: string | null
  retrievals: number
}

/**
 * Counts the retrievals in an area by direct subfolder and by token. Each file's days are added up first,
 * because grouping a million days takes seconds. For the whole library, the query reads all days and looks up
 * only the files that have any. With 100 000 files and a million days, this takes a third of the processor
 * time of a query that begins with the files.
 */
export async function retrievalsByFolderAndToken(
  db: Queries,
  queryTraits: QueryTraits,
  area: Area,
  firstDay: string,
): Promise<RetrievalCount[]> {
  const nameColumn = subfolderExpression(area, queryTraits)
  const rows = await db
    .selectFrom(
      (isWholeLibrary(area)
        ? retrievalsOfAllFiles(db, firstDay)
        : retrievalsOfFilesIn(db, area, firstDay)
      ).as('each'),
    )
    .select([
      nameColumn.as('name'),
      'token_id',
      sql<number | string | null>`sum(retrievals)`.as('retrievals'),
    ])
    .groupBy([nameColumn, 'token_id'])
    .execute()
  return rows.map(row => ({ ...row, retrievals: Number(row.retrievals ?? 0) }))
}

function retrievalsOfAllFiles(db: Queries, firstDay: string) {
  const countsPerFile = db
    .selectFrom('retrieval_file_day')
    .select(['media_nr', retrievalSum.as('retrievals')])
    .where('day', '>=', firstDay)
    .groupBy('media_nr')
  return db
    .selectFrom(countsPerFile.as('counted'))
    .innerJoin('media', 'media.nr', 'counted.media_nr')
    .select(['folder', 'token_id', 'counted.retrievals'])
}

function retrievalsOfFilesIn(db: Queries, area: Area, firstDay: string) {
  const retrievalsPerFile = sql<number | string>`(select ${retrievalSum} from retrieval_file_day
    where retrieval_file_day.media_nr = media.nr and retrieval_file_day.day >= ${firstDay})`
  let query = db.selectFrom('media').select(['folder', 'token_id', retrievalsPerFile.as('retrievals')])
  for (const condition of whereInArea('folder', area)) query = query.where(condition)
  return query
}

/** How much was stored at the start of each day, from `day` on. */
export async function usageSince(db: Queries, day: string) {
  const rows = await db.selectFrom('usage_day').selectAll().where('day', '>=', day).execute()
  return new Map(
    rows.map(({ day, files, bytes }) => [day, { files: Number(files), bytes: Number(bytes) }] as const),
  )
}

function selectFilesIn(db: Queries, area: Area, limit: number) {
  let query = db.selectFrom('media').select(LISTED_FILE_COLUMNS).limit(limit)
  for (const condition of whereInArea('path', area)) query = query.where(condition)
  return query
}

export const largestFiles = (db: Queries, area: Area, limit: number): Promise<ListedFile[]> =>
  selectFilesIn(db, area, limit).orderBy('size', 'desc').execute()

/**
 * The files whose last retrieval is longest ago. For a file that was never retrieved, the time of its last
 * upload counts. Each of the two queries has its own index.
 */
export async function stalestFiles(db: Queries, area: Area, limit: number): Promise<ListedFile[]> {
  const unretrievedFiles = await selectFilesIn(db, area, limit)
    .where(sql<boolean>`retrievals < 1`)
    .orderBy('updated_at')
    .execute()
  const retrievedFiles = await selectFilesIn(db, area, limit)
    .where('retrieved_at', 'is not', null)
    .orderBy('retrieved_at')
    .execute()
  const lastUsedAt = ({ retrieved_at, updated_at }: ListedFile) => retrieved_at ?? updated_at
  return [...unretrievedFiles, ...retrievedFiles]
    .sort((a, b) => lastUsedAt(a) - lastUsedAt(b))
    .slice(0, limit)
}

/** Records how much is stored at the start of a day; an existing record is kept. */
export async function recordUsage(
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
