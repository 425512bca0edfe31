/** The filters of a list of files, other than its folder and its search, and the SQL conditions for them. */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { ResultQuery } from '../../../contract/files/library.ts'
import type { Kind } from '../../../contract/paths/kinds.ts'
import type { Orientation } from '../../../contract/values/limits.ts'
import { DAY, MINUTE } from '../../../contract/values/units.ts'
import { USED_AT } from '../../media/periods.ts'

/** Inclusive bounds. */
interface Range {
  least?: number | undefined
  most?: number | undefined
}

const RANGES = ['updated_at', 'size', 'width', 'height'] as const

export interface FileFilter extends Partial<Record<(typeof RANGES)[number], Range | undefined>> {
  kinds?: readonly Kind[] | undefined
  tokens?: readonly string[] | undefined
  orientation?: Orientation | undefined
  neverRetrieved?: boolean | undefined
  /** Neither retrieved nor stored at this time or later. */
  unusedSince?: number | undefined
}

export function fileFilterOf(query: Partial<ResultQuery>, now: number): FileFilter {
  const { nicht_abgerufen_seit: since, unabgerufen_tage: days } = query
  // Rounded down to the minute, so that a total can be cached for a moment.
  const before = days === undefined ? undefined : Math.floor(now / MINUTE) * MINUTE - days * DAY
  return {
    kinds: query.art,
    tokens: query.token,
    updated_at: rangeOf(query.geaendert_von, query.geaendert_bis),
    size: rangeOf(query.min_bytes, query.max_bytes),
    width: rangeOf(query.min_breite, query.max_breite),
    height: rangeOf(query.min_hoehe, query.max_hoehe),
    orientation: query.ausrichtung,
    neverRetrieved: query.nie_abgerufen === '1' || undefined,
    unusedSince: since === undefined || before === undefined ? (since ?? before) : Math.min(since, before),
  }
}

const rangeOf = (least: number | undefined, most: number | undefined): Range | undefined =>
  least === undefined && most === undefined ? undefined : { least, most }

export interface Condition {
  test: Expression<SqlBool>
  /** The columns that the test reads. */
  columns: readonly string[]
}

/** Columns of ranges with an index of their own. */
export const INDEXED = ['size', 'updated_at'] as const

const COMPARISONS: Readonly<Record<Orientation, Expression<SqlBool>>> = {
  quer: sql<SqlBool>`width > height`,
  hoch: sql<SqlBool>`width < height`,
  quadratisch: sql<SqlBool>`width = height`,
}

const among = (column: string, values: readonly string[]) =>
  values.length === 1
    ? sql<SqlBool>`${sql.ref(column)} = ${values[0]}`
    : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`

/**
 * With `+ 0` the engine uses no index for the condition, because it cannot know how many rows it would read
 * by the index.
 */
function isWithin(column: string, { least, most }: Range, isIndexed: boolean): Expression<SqlBool> {
  const value = isIndexed ? sql.ref(column) : sql`${sql.ref(column)} + 0`
  const bounds = [
    ...(least === undefined ? [] : [sql`${value} >= ${least}`]),
    ...(most === undefined ? [] : [sql`${value} <= ${most}`]),
  ]
  return sql<SqlBool>`${sql.join(bounds, sql` and `)}`
}

/** The range of a column, if the filter has one, in the form for which the index of the column is used. */
export const rangeOfColumn = (filter: FileFilter, column: string): Expression<SqlBool> | null => {
  const ranged = RANGES.find(each => each === column)
  const range = ranged && filter[ranged]
  return range ? isWithin(column, range, true) : null
}

export function fileConditions(filter: FileFilter): Condition[] {
  const { kinds, tokens, orientation, neverRetrieved, unusedSince } = filter
  const conditions: Condition[] = []
  const add = (test: Expression<SqlBool>, ...columns: string[]) => void conditions.push({ test, columns })
  if (kinds) add(among('kind', kinds), 'kind')
  if (tokens) add(among('token_id', tokens), 'token_id')
  for (const column of RANGES) {
    const range = filter[column]
    if (range) add(isWithin(column, range, false), column)
  }
  if (orientation) add(COMPARISONS[orientation], 'width', 'height')
  if (neverRetrieved) add(sql<SqlBool>`retrievals + 0 < 1`, 'retrievals')
  if (unusedSince !== undefined)
    add(sql<SqlBool>`${sql.raw(USED_AT)} < ${unusedSince}`, 'retrieved_at', 'restored_at', 'updated_at')
  return conditions
}

/** Whether the filter tests nothing but kinds, so that the running figures of folders can count the files. */
export const isByKindOnly = ({ kinds: _, ...others }: FileFilter) => fileConditions(others).length === 0

/** Whether the filter tests nothing but when a file was last used. */
export const isByUseOnly = ({ unusedSince, ...others }: FileFilter) =>
  unusedSince !== undefined && fileConditions(others).length === 0

export const isUnfiltered = (filter: FileFilter) => fileConditions(filter).length === 0
