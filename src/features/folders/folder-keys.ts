/** Folders as the database has them: with their final `/`, the top as the empty text. */
import { type Expression, type SqlBool, sql } from 'kysely'

export const keyOf = (folder: string) => (folder === '' ? '' : `${folder}/`)

export const folderOf = (key: string) => key.slice(0, -1)

/** Paths and folders that begin with `key`. In ASCII `0` follows `/`. */
export function below(column: 'path' | 'folder', key: string): Expression<SqlBool>[] {
  if (key === '') return []
  const name = sql.ref(column)
  return [sql<SqlBool>`${name} >= ${key} and ${name} < ${`${folderOf(key)}0`}`]
}
