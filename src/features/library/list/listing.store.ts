/**
 * The queries for a page of the library. *Walking* reads rows in the requested order along an index, and
 * picks those that match: fast if many match. *Gathering* reads all rows of the folder, usually from the
 * index `media_gallery`, and sorts those that match: fast if the folder has few files. Both return row
 * numbers, so that only the rows of the page are fetched.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { batches } from '../../../base/batches.ts'
import type { Queries, QueryTraits } from '../../../database/database.ts'
import { naturalKey } from '../../../database/natural-key.ts'
import { type Area, isWholeLibrary } from '../../../http/access/library-area.ts'
import { anyOf, keyOf, whereWithin } from '../../folders/folder-keys.ts'
import { type FileFilter, fileConditions, INDEXED_COLUMNS, indexedRangeCondition } from './file-filter.ts'
import { WIRE_COLUMNS, type WireRow } from './file-on-wire.ts'
import { type SearchWord, wordCondition } from './search-words.ts'

export interface Filter extends FileFilter {
  area: Area
  /** Whether files in subfolders are included; otherwise only those directly in the folder of the area. */
  includesSubfolders: boolean
  /** Words that must all be in the path. */
  search?: readonly SearchWord[] | undefined
}

export interface Order {
  column: 'path' | 'size' | 'updated_at' | 'retrievals' | 'retrieved_at'
  descending: boolean
}

export interface Page {
  offset: number
  limit: number
}

type Conditions = readonly Expression<SqlBool>[]

/**
 * The conditions for a filter. `folderColumn`: the column, and so the index, by which files in subfolders are
 * found.
 */
export function filterConditions(
  filter: Filter,
  queryTraits: QueryTraits,
  folderColumn: 'natural_key' | 'folder' = 'folder',
): Conditions {
  const { area, includesSubfolders, search } = filter
  return [
    ...(includesSubfolders && folderColumn === 'natural_key'
      ? withinNaturalKeys(area)
      : whereWithin('folder', area)),
    ...(includesSubfolders ? [] : [sql<SqlBool>`folder = ${keyOf(area.baseFolder)}`]),
    ...fileConditions(filter).map(({ test }) => test),
    ...(search ?? []).map(word => wordCondition(word, 'path', queryTraits)),
  ]
}

/**
 * The condition, on the sort key, that a file is in the area. Folders whose names differ only in leading
 * zeros of numbers have the same sort key, so a range of keys may contain files of another such folder.
 * Therefore the path is compared too; `|| ''` keeps the engine from choosing the index of paths.
 */
function withinNaturalKeys(area: Area): Expression<SqlBool>[] {
  if (isWholeLibrary(area)) return []
  const conditionsByFolder = area.folders.map(folder => {
    const keyStart = naturalKey(keyOf(folder))
    return sql<SqlBool>`natural_key >= ${keyStart} and natural_key < ${`${keyStart.slice(0, -1)}0`}
      and path || '' >= ${`${folder}/`} and path || '' < ${`${folder}0`}`
  })
  return [anyOf(conditionsByFolder)]
}

export const fromNaturalKey = (key: string) => sql<SqlBool>`natural_key >= ${key}`

const whereAll = (conditions: Conditions) =>
  conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`

/**
 * In the order of the last retrieval, files that were never retrieved come first in ascending order, and last
 * in descending order. The row number as the last key makes the order of equal values unambiguous; paths are
 * unique anyway.
 */
function orderBy({ column, descending }: Order, usesIndex = true): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`
  if (column === 'path')
    return usesIndex
      ? sql`natural_key ${direction}, path ${direction}`
      : sql`natural_key || '' ${direction}, path || '' ${direction}`
  const sortKey = usesIndex ? sql.ref(column) : sql`${sql.ref(column)} + 0`
  const nullsClause = column === 'retrieved_at' ? (descending ? sql` nulls last` : sql` nulls first`) : sql``
  return sql`${sortKey} ${direction}${nullsClause}, nr ${direction}`
}

async function selectNumbers(db: Queries, query: RawBuilder<{ nr: number }>): Promise<number[]> {
  return (await query.execute(db)).rows.map(({ nr }) => nr)
}

const pageNumbers = (
  db: Queries,
  where: Conditions,
  order: RawBuilder<unknown>,
  { limit, offset }: Page,
  table = sql`media`,
) =>
  selectNumbers(
    db,
    sql`select nr from ${table}${whereAll(where)} order by ${order} limit ${limit} offset ${offset}`,
  )

/** Row numbers of a page, read along the index that has the requested order. */
export const followIndex = (db: Queries, where: Conditions, order: Order, page: Page) =>
  pageNumbers(db, where, orderBy(order), page)

/**
 * Columns that every walk selects. The sort indexes of PostgreSQL (migration 0039) contain them, except
 * `path`.
 */
const WALK_COLUMNS = ['nr', 'path', 'folder', 'kind', 'token_id']

/**
 * Like `followIndex`, but examines only the first `maxRows` rows of the order, and so may return fewer
 * numbers than the page has. If the filter has a range on the column of the order, the walk reads only this
 * range. Both engines keep the order of the inner query in the outer one.
 */
export function walk(
  { db, queryTraits }: { db: Queries; queryTraits: QueryTraits },
  filter: Filter,
  order: Order,
  { limit, offset }: Page,
  maxRows: number,
): Promise<number[]> {
  const filterColumns = fileConditions(filter).flatMap(({ columns }) => columns)
  const columns = [...new Set([...WALK_COLUMNS, ...filterColumns])].map(column => sql.ref(column))
  const startRange = indexedRangeCondition(filter, order.column)
  const walkedRows = sql`select ${sql.join(columns)} from media${whereAll(startRange ? [startRange] : [])}
    order by ${orderBy(order)} limit ${maxRows}`
  const whereClause = whereAll(filterConditions(filter, queryTraits))
  return selectNumbers(
    db,
    sql`select nr from (${walkedRows}) as walked${whereClause} limit ${limit} offset ${offset}`,
  )
}

/**
 * Row numbers of a page. Reads and sorts all matching rows. `table`: the table `media`, possibly with a hint
 * which index to use.
 */
export const gather = (
  { db, table }: { db: Queries; table: RawBuilder<unknown> },
  where: Conditions,
  order: Order,
  page: Page,
) => pageNumbers(db, where, withoutIndex(order), page, table)

/**
 * A range of the filter that contains at most `maxFiles` files of the library, as a condition that uses the
 * index on its column; null if there is none.
 */
export async function findNarrowRange(db: Queries, filter: Filter, maxFiles: number) {
  for (const column of INDEXED_COLUMNS) {
    const range = indexedRangeCondition(filter, column)
    if (!range) continue
    const fileCount = await countFrom(
      db,
      sql`(select 1 from media where ${range} limit ${maxFiles + 1}) as found`,
    )
    if (fileCount <= maxFiles) return range
  }
  return null
}

/** The order with `|| ''` or `+ 0` in its expressions, so that no index serves it. */
const withoutIndex = (order: Order) => orderBy(order, false)

/**
 * Row numbers of all hits of the search index that match `where`, sorted by `order`. Meant only for few hits.
 */
export function hitNumbers(db: Queries, hits: RawBuilder<{ nr: number }>, where: Conditions, order: Order) {
  // SQLite keeps the order of a cross join, so it starts from the hits and reads no whole folder.
  const hitRows = sql`select media.* from ${hits} as hit cross join media where media.nr = hit.nr`
  return selectNumbers(
    db,
    sql`select nr from (${hitRows}) as hits${whereAll(where)} order by ${withoutIndex(order)}`,
  )
}

export async function countWhere(db: Queries, where: Conditions): Promise<number> {
  return countFrom(db, sql`media${whereAll(where)}`)
}

export async function countFrom(db: Queries, fromClause: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${fromClause}`.execute(
    db,
  )
  return Number(rows[0]!.count)
}

/** The rows in the order of `numbers`; rows that were deleted meanwhile are left out. */
export async function rowsOf(db: Queries, numbers: readonly number[]): Promise<WireRow[]> {
  if (numbers.length === 0) return []
  const rows = await db.selectFrom('media').select(WIRE_COLUMNS).where('nr', 'in', numbers).execute()
  const rowsByNumber = new Map(rows.map(row => [row.nr, row]))
  return numbers.flatMap(nr => rowsByNumber.get(nr) ?? [])
}

/** Like `rowsOf`, but reads in batches. */
export async function* wireRows(db: Queries, numbers: readonly number[]): AsyncGenerator<WireRow> {
  for (const batch of batches(numbers)) yield* await rowsOf(db, batch)
}
