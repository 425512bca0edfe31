/** The filters of a list of files, except its folder and its search, and the SQL conditions for them. */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Orientation } from '../../../contract/files/choices.ts'
import type { ResultQuery } from '../../../contract/files/library.ts'
import type { Kind } from '../../../contract/paths/kinds.ts'
import { DAY, MINUTE } from '../../../contract/values/units.ts'
import { USED_AT_SQL } from '../../media/time-columns.ts'

/** A range of numbers; its bounds are inclusive and optional. */
interface NumberRange {
  min?: number | undefined
  max?: number | undefined
}

const RANGE_COLUMNS = ['updated_at', 'size', 'width', 'height'] as const

export interface FileFilter extends Partial<Record<(typeof RANGE_COLUMNS)[number], NumberRange | undefined>> {
  kinds?: readonly Kind[] | undefined
  tokens?: readonly string[] | undefined
  orientation?: Orientation | undefined
  neverRetrieved?: boolean | undefined
  /** Only files whose last download, upload or restore was before this time (Unix milliseconds). */
  unusedSince?: number | undefined
}

export function fileFilterOf(query: Partial<ResultQuery>, now: number): FileFilter {
  const { nicht_abgerufen_seit: fixedTime, unabgerufen_tage: unusedDays } = query
  // Rounded down to the minute, so that requests within the same minute share a cached result.
  const relativeTime =
    unusedDays === undefined ? undefined : Math.floor(now / MINUTE) * MINUTE - unusedDays * DAY
  return {
    kinds: query.art,
    tokens: query.token,
    updated_at: rangeOf(query.geaendert_von, query.geaendert_bis),
    size: rangeOf(query.min_bytes, query.max_bytes),
    width: rangeOf(query.min_breite, query.max_breite),
    height: rangeOf(query.min_hoehe, query.max_hoehe),
    orientation: query.ausrichtung,
    neverRetrieved: query.nie_abgerufen === '1' || undefined,
    unusedSince:
      fixedTime === undefined || relativeTime === undefined
        ? (fixedTime ?? relativeTime)
        : Math.min(fixedTime, relativeTime),
  }
}

const rangeOf = (min: number | undefined, max: number | undefined): NumberRange | undefined =>
  min === undefined && max === undefined ? undefined : { min, max }

export interface FilterCondition {
  test: Expression<SqlBool>
  /** The columns that the test reads. */
  columns: readonly string[]
}

/** The range columns that have an index of their own. */
export const INDEXED_RANGE_COLUMNS = ['size', 'updated_at'] as const

const ORIENTATION_CONDITIONS: Readonly<Record<Orientation, Expression<SqlBool>>> = {
  quer: sql<SqlBool>`width > height`,
  hoch: sql<SqlBool>`width < height`,
  quadratisch: sql<SqlBool>`width = height`,
}

const inListCondition = (column: string, values: readonly string[]) =>
  values.length === 1
    ? sql<SqlBool>`${sql.ref(column)} = ${values[0]}`
    : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`

/**
 * The condition that the value of a column is in a range. If `isIndexed` is false, `+ 0` prevents the
 * database from using the index on the column. The database does not know how many rows are in the range, so
 * it might use the index where another query plan is faster.
 */
function rangeCondition(column: string, { min, max }: NumberRange, isIndexed: boolean): Expression<SqlBool> {
  const columnExpression = isIndexed ? sql.ref(column) : sql`${sql.ref(column)} + 0`
  const bounds = [
    ...(min === undefined ? [] : [sql`${columnExpression} >= ${min}`]),
    ...(max === undefined ? [] : [sql`${columnExpression} <= ${max}`]),
  ]
  return sql<SqlBool>`${sql.join(bounds, sql` and `)}`
}

/**
 * The condition for the range of a column, in the form that uses the index on the column; null if the filter
 * has no such range.
 */
export const indexedRangeCondition = (filter: FileFilter, column: string): Expression<SqlBool> | null => {
  const rangeColumn = RANGE_COLUMNS.find(candidate => candidate === column)
  const range = rangeColumn && filter[rangeColumn]
  return range ? rangeCondition(column, range, true) : null
}

export function fileConditions(filter: FileFilter): FilterCondition[] {
  const { kinds, tokens, orientation, neverRetrieved, unusedSince } = filter
  const conditions: FilterCondition[] = []
  const addCondition = (test: Expression<SqlBool>, ...columns: string[]) =>
    void conditions.push({ test, columns })
  if (kinds) addCondition(inListCondition('kind', kinds), 'kind')
  if (tokens) addCondition(inListCondition('token_id', tokens), 'token_id')
  for (const column of RANGE_COLUMNS) {
    const range = filter[column]
    if (range) addCondition(rangeCondition(column, range, false), column)
  }
  if (orientation) addCondition(ORIENTATION_CONDITIONS[orientation], 'width', 'height')
  if (neverRetrieved) addCondition(sql<SqlBool>`retrievals + 0 < 1`, 'retrievals')
  if (unusedSince !== undefined)
    addCondition(
      sql<SqlBool>`${sql.raw(USED_AT_SQL)} < ${unusedSince}`,
      'retrieved_at',
      'restored_at',
      'updated_at',
    )
  return conditions
}

/**
 * Whether the filter has no conditions other than kinds. The number of files then follows from the running
 * totals of folders. Folder and search are not considered.
 */
export const hasAtMostKindFilter = ({ kinds: _, ...otherFilters }: FileFilter) =>
  fileConditions(otherFilters).length === 0

/** Whether `unusedSince` is the only condition of the filter. Folder and search are not considered. */
export const hasOnlyUnusedFilter = ({ unusedSince, ...otherFilters }: FileFilter) =>
  unusedSince !== undefined && fileConditions(otherFilters).length === 0

export const hasNoFileConditions = (filter: FileFilter) => fileConditions(filter).length === 0
