/** Keys of folders as in the database: the path with a final `/`, empty for the top folder. */
import { type Expression, type SqlBool, sql } from 'kysely'

export const keyOf = (folder: string) => (folder === '' ? '' : `${folder}/`)

export const folderOf = (key: string) => key.slice(0, -1)

/** Conditions that a path or folder begins with `key`. The upper bound ends in `0`, which follows `/`. */
export function whereBelow(column: 'path' | 'folder', key: string): Expression<SqlBool>[] {
  if (key === '') return []
  const name = sql.ref(column)
  return [sql<SqlBool>`${name} >= ${key} and ${name} < ${`${folderOf(key)}0`}`]
}
