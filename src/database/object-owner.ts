import { parseName } from '../storage/names.ts'
import type { Queries } from './database.ts'

/** Tells of an object whether a file in the library or in the trash has it. */
export const ownedIn = (db: Queries) => async (object: string) => {
  const id = parseName(object)?.id
  if (id === undefined) return false
  const trash = db.selectFrom('trash').select('object').where('id', '=', id)
  const rows = await db.selectFrom('media').select('object').where('id', '=', id).unionAll(trash).execute()
  return rows.some(row => row.object === object)
}
