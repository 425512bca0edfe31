/** Keys of folders as in the database: the path with a final `/`, empty for the top folder. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QueryTraits } from '../../database/database.ts'
import { type Area, isLimitedTop, isWholeLibrary } from '../../http/access/area.ts'

export const keyOf = (folder: string) => (folder === '' ? '' : `${folder}/`)

export const folderOf = (key: string) => key.slice(0, -1)

/**
 * The condition that a path, or the key of a folder, is in the area; no condition if the area is everything.
 */
export const whereWithin = (column: string, area: Area): Expression<SqlBool>[] =>
  isWholeLibrary(area) ? [] : [anyOf(area.folders.map(folder => inFolderCondition(column, folder)))]

/** The upper bound ends in `0`, the character after `/`. */
const inFolderCondition = (column: string, folder: string, value: (text: string) => unknown = text => text) =>
  sql<SqlBool>`${sql.ref(column)} >= ${value(`${folder}/`)} and ${sql.ref(column)} < ${value(`${folder}0`)}`

export function anyOf([first, ...otherConditions]: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  if (!first) return sql<SqlBool>`1 = 0`
  return otherConditions.length === 0
    ? first
    : sql<SqlBool>`((${sql.join([first, ...otherConditions], sql`) or (`)}))`
}

/**
 * SQL for the folder directly in the area to which a row with the column `folder` belongs; empty if there is
 * none. At the top of a limited account these are the folders of the account, by their whole path. The SQL
 * has no parameters, since it is also used for grouping.
 */
export function folderInside(area: Area, queries: QueryTraits): RawBuilder<string> {
  if (!isLimitedTop(area)) return queries.firstSegment('folder', keyOf(area.below).length)
  const whenClauses = area.folders.map(
    folder => sql`when ${inFolderCondition('folder', folder, sql.lit)} then ${sql.lit(folder)}`,
  )
  return sql<string>`case when 1 = 0 then '' ${sql.join(whenClauses, sql` `)} else '' end`
}
