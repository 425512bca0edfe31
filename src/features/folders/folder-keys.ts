/** Keys of folders as in the database: the path with a final `/`; empty for the top folder. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QueryTraits } from '../../database/database.ts'
import { type Area, isTopOfLimitedArea, isWholeLibrary } from '../../http/access/library-area.ts'

export const keyOf = (folder: string) => (folder === '' ? '' : `${folder}/`)

export const folderOf = (key: string) => key.slice(0, -1)

/**
 * The condition that a path, or the key of a folder, is in the area; empty if the area is the whole library.
 */
export const whereInArea = (column: string, area: Area): Expression<SqlBool>[] =>
  isWholeLibrary(area) ? [] : [anyOfConditions(area.folders.map(folder => inFolderCondition(column, folder)))]

/** The upper bound ends in `0`, the character after `/` in ASCII. */
const inFolderCondition = (
  column: string,
  folder: string,
  toSqlValue: (text: string) => unknown = text => text,
) =>
  sql<SqlBool>`${sql.ref(column)} >= ${toSqlValue(`${folder}/`)} and ${sql.ref(column)} < ${toSqlValue(`${folder}0`)}`

export function anyOfConditions([
  firstCondition,
  ...otherConditions
]: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  if (!firstCondition) return sql<SqlBool>`1 = 0`
  return otherConditions.length === 0
    ? firstCondition
    : sql<SqlBool>`((${sql.join([firstCondition, ...otherConditions], sql`) or (`)}))`
}

/**
 * SQL expression that computes, from the column `folder`, the direct subfolder of the area that contains a
 * row. The value is the name of the subfolder, or empty for a row directly in the area. If the account is
 * limited to some folders and the request names no folder, the value is the path of the account's folder that
 * contains the row. The expression has no parameters, because PostgreSQL requires the same text in
 * `group by`.
 */
export function subfolderExpression(area: Area, queryTraits: QueryTraits): RawBuilder<string> {
  if (!isTopOfLimitedArea(area)) return queryTraits.firstSegment('folder', keyOf(area.baseFolder).length)
  const whenClauses = area.folders.map(
    folder => sql`when ${inFolderCondition('folder', folder, sql.lit)} then ${sql.lit(folder)}`,
  )
  return sql<string>`case when 1 = 0 then '' ${sql.join(whenClauses, sql` `)} else '' end`
}
