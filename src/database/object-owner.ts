/** Which objects of the store are those of files, in the library or in the trash. */
import { parseName } from '../storage/names.ts'
import type { Queries } from './database.ts'

/** Tells of an object whether a file has it. A database without any file is a new one in the place of one that was lost. */
export const ownedIn = (db: Queries) => async (object: string) => {
  const id = parseName(object)?.id
  if (id === undefined) return false
  const trash = db.selectFrom('trash').select('object').where('id', '=', id)
  const rows = await db.selectFrom('media').select('object').where('id', '=', id).unionAll(trash).execute()
  return rows.some(row => row.object === object) || !(await knowsAnyFile(db))
}

/** Whether any file is recorded. */
export async function knowsAnyFile(db: Queries): Promise<boolean> {
  for (const place of ['media', 'trash'] as const) {
    if (await db.selectFrom(place).select('nr').limit(1).executeTakeFirst()) return true
  }
  return false
}
