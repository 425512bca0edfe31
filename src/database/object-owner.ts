/** Which objects belong to files in the library or in the trash. */
import { pages } from '../base/batches.ts'
import type { StoredSince } from '../storage/disk/bring-back.ts'
import { parseName } from '../storage/names.ts'
import { SHORT_BYTES } from '../storage/storage.ts'
import type { Queries } from './database.ts'

const PLACES = ['media', 'trash'] as const

/** Whether a row owns an object. True if there are no files at all: the database was probably lost. */
export const createIsOwned = (db: Queries) => async (object: string) => {
  const id = parseName(object)?.id
  if (id === undefined) return false
  const trash = db.selectFrom('trash').select('object').where('id', '=', id)
  const rows = await db.selectFrom('media').select('object').where('id', '=', id).unionAll(trash).execute()
  return rows.some(row => row.object === object) || !(await knowsAnyFile(db))
}

export const shortFilesStoredSince = (db: Queries): StoredSince =>
  async function* (time) {
    for (const place of PLACES) {
      const read = (last: { nr: number } | undefined, limit: number) =>
        db
          .selectFrom(place)
          .select(['nr', 'object', 'size', 'sha256'])
          .where('updated_at', '>=', time)
          .where('size', '<=', SHORT_BYTES)
          .where('nr', '>', last?.nr ?? 0)
          .orderBy('nr')
          .limit(limit)
          .execute()
      for await (const rows of pages(read)) yield* rows
    }
  }

export async function knowsAnyFile(db: Queries): Promise<boolean> {
  for (const place of PLACES) {
    if (await db.selectFrom(place).select('nr').limit(1).executeTakeFirst()) return true
  }
  return false
}
