import { parseName } from '../storage/names.ts'
import type { Queries } from './database.ts'

/** Whether a file in the library or in the trash has this object. */
export async function isOwned(db: Queries, object: string): Promise<boolean> {
  const id = parseName(object)?.id
  if (id === undefined) return false
  const trash = db.selectFrom('trash').select('object').where('id', '=', id)
  const rows = await db.selectFrom('media').select('object').where('id', '=', id).unionAll(trash).execute()
  return rows.some(row => row.object === object)
}
