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
import { anyOfConditions, keyOf, whereInArea } from '../../folders/folder-keys.ts'
import {
  type FileFilter,
  fileConditions,
  INDEXED_RANGE_COLUMNS,
  indexedRangeCondition,
} from './file-filter.ts'
import { WIRE_COLUMNS, type WireRow } from './file-on-wire.ts'
import { type SearchWord, wordCondition } from './search-words.ts'

export interface ListFilter extends FileFilter {
  area: Area
  /** Whether files in subfolders are included; otherwise only those directly in the folder of the area. */
  includesSubfolders: boolean
  /** Words that must all be in the path. */
  search?: readonly SearchWord[] | undefined
}

export interface ListOrder {
  column: 'path' | 'size' | 'updated_at' | 'retrievals' | 'retrieved_at'
  descending: boolean
}

export interface PageBounds {
  offset: number
  limit: number
}

type Conditions = readonly Expression<SqlBool>[]

/**
 * The conditions for a filter. `folderColumn`: the column by which files in subfolders are found; it decides
 * which index the database can use.
 */
export function filterConditions(
  filter: ListFilter,
  queryTraits: QueryTraits,
  folderColumn: 'natural_key' | 'folder' = 'folder',
): Conditions {
  const { area, includesSubfolders, search } = filter
  return [
    ...(includesSubfolders && folderColumn === 'natural_key'
      ? naturalKeyConditions(area)
      : whereInArea('folder', area)),
    ...(includesSubfolders ? [] : [sql<SqlBool>`folder = ${keyOf(area.baseFolder)}`]),
    ...fileConditions(filter).map(({ test }) => test),
    ...(search ?? []).map(word => wordCondition(word, 'path', queryTraits)),
  ]
}

/**
 * The condition, on the sort key, that a file is in the area. Folders whose names differ only in leading
 * zeros of numbers have the same sort key, so a range of keys may contain files of another such folder.
 * Therefore the path is compared too; `|| ''` prevents the database from using the index of paths.
 */
function naturalKeyConditions(area: Area): Expression<SqlBool>[] {
  if (isWholeLibrary(area)) return []
  const conditionsByFolder = area.folders.map(folder => {
    const keyStart = naturalKey(keyOf(folder))
    return sql<SqlBool>`natural_key >= ${keyStart} and natural_key < ${`${keyStart.slice(0, -1)}0`}
      and path || '' >= ${`${folder}/`} and path || '' < ${`${folder}0`}`
  })
  return [anyOfConditions(conditionsByFolder)]
}

export const fromKeyCondition = (key: string) => sql<SqlBool>`natural_key >= ${key}`

const whereAll = (conditions: Conditions) =>
  conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`

/**
 * In the order of the last retrieval, files that were never retrieved come first in ascending order, and last
 * in descending order. The row number as the last key makes the order of equal values unambiguous; paths are
 * unique anyway.
 */
function orderBy({ column, descending }: ListOrder, usesIndex = true): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`
  if (column === 'path')
    return usesIndex
      ? sql`natural_key ${direction}, path ${direction}`
      : sql`natural_key || '' ${direction}, path || '' ${direction}`
  const sortKey = usesIndex ? sql.ref(column) : sql`${sql.ref(column)} + 0`
  const nullsClause = column === 'retrieved_at' ? (descending ? sql` nulls last` : sql` nulls first`) : sql``
  return sql`${sortKey} ${direction}${nullsClause}, nr ${direction}`
}

async function selectRowNumbers(db: Queries, query: RawBuilder<{ nr: number }>): Promise<number[]> {
  return (await query.execute(db)).rows.map(({ nr }) => nr)
}

const pageRowNumbers = (
  db: Queries,
  where: Conditions,
  order: RawBuilder<unknown>,
  { limit, offset }: PageBounds,
  table = sql`media`,
) =>
  selectRowNumbers(
    db,
    sql`select nr from ${table}${whereAll(where)} order by ${order} limit ${limit} offset ${offset}`,
  )

/** Row numbers of a page, read along the index that has the requested order. */
export const followIndex = (db: Queries, where: Conditions, order: ListOrder, page: PageBounds) =>
  pageRowNumbers(db, where, orderBy(order), page)

/**
 * Columns that every walk selects. The sort indexes of PostgreSQL (migration 0039) contain them, except
 * `path`.
 */
const WALK_COLUMNS = ['nr', 'path', 'folder', 'kind', 'token_id']

/**
 * Like `followIndex`, but examines only the first `maxRows` rows in this order, so it may return fewer row
 * numbers than the page has. If the filter has a range for the column of the order, only rows in this range
 * are examined. The outer query has no `order by`, because both engines keep the order of the inner one.
 */
export function walkRows(
  { db, queryTraits }: { db: Queries; queryTraits: QueryTraits },
  filter: ListFilter,
  order: ListOrder,
  { limit, offset }: PageBounds,
  maxRows: number,
): Promise<number[]> {
  const filterColumns = fileConditions(filter).flatMap(({ columns }) => columns)
  const columns = [...new Set([...WALK_COLUMNS, ...filterColumns])].map(column => sql.ref(column))
  const startRange = indexedRangeCondition(filter, order.column)
  const walkedRows = sql`select ${sql.join(columns)} from media${whereAll(startRange ? [startRange] : [])}
    order by ${orderBy(order)} limit ${maxRows}`
  const whereClause = whereAll(filterConditions(filter, queryTraits))
  return selectRowNumbers(
    db,
    sql`select nr from (${walkedRows}) as walked${whereClause} limit ${limit} offset ${offset}`,
  )
}

/**
 * Row numbers of a page. Reads and sorts all matching rows. `table`: the table `media`, possibly with a hint
 * that names the index to use.
 */
export const gatherRows = (
  { db, table }: { db: Queries; table: RawBuilder<unknown> },
  where: Conditions,
  order: ListOrder,
  page: PageBounds,
) => pageRowNumbers(db, where, orderByWithoutIndex(order), page, table)

/**
 * A range of the filter that contains at most `maxFiles` files of the library, as a condition that uses the
 * index on its column; null if there is none.
 */
export async function findNarrowRange(db: Queries, filter: ListFilter, maxFiles: number) {
  for (const column of INDEXED_RANGE_COLUMNS) {
    const range = indexedRangeCondition(filter, column)
    if (!range) continue
    const fileCount = await countRowsFrom(
      db,
      sql`(select 1 from media where ${range} limit ${maxFiles + 1}) as found`,
    )
    if (fileCount <= maxFiles) return range
  }
  return null
}

/** The order with `|| ''` or `+ 0` in its expressions, so that the database cannot use an index for it. */
const orderByWithoutIndex = (order: ListOrder) => orderBy(order, false)

/**
 * Row numbers of all hits of the search index that match `where`, sorted by `order`. All hits are read, so
 * there must not be many.
 */
export function hitRowNumbers(
  db: Queries,
  hits: RawBuilder<{ nr: number }>,
  where: Conditions,
  order: ListOrder,
) {
  // SQLite keeps the order of a cross join, so it starts from the hits and reads no whole folder.
  const hitRows = sql`select media.* from ${hits} as hit cross join media where media.nr = hit.nr`
  return selectRowNumbers(
    db,
    sql`select nr from (${hitRows}) as hits${whereAll(where)} order by ${orderByWithoutIndex(order)}`,
  )
}

export async function countRowsWhere(db: Queries, where: Conditions): Promise<number> {
  return countRowsFrom(db, sql`media${whereAll(where)}`)
}

export async function countRowsFrom(db: Queries, fromClause: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${fromClause}`.execute(
    db,
  )
  return Number(rows[0]!.count)
}

/** The rows in the order of `numbers`; rows that were deleted meanwhile are left out. */
export async function readWireRows(db: Queries, numbers: readonly number[]): Promise<WireRow[]> {
  if (numbers.length === 0) return []
  const rows = await db.selectFrom('media').select(WIRE_COLUMNS).where('nr', 'in', numbers).execute()
  const rowsByNumber = new Map(rows.map(row => [row.nr, row]))
  return numbers.flatMap(nr => rowsByNumber.get(nr) ?? [])
}

/** Like `readWireRows`, but reads in batches. */
export async function* readWireRowsInBatches(
  db: Queries,
  numbers: readonly number[],
): AsyncGenerator<WireRow> {
  for (const batch of batches(numbers)) yield* await readWireRows(db, batch)
}
