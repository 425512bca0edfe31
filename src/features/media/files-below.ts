/** All files below a folder in the order of their paths, page by page: no read stays open while a client takes its time. */
import type { Queries } from '../../database/database.ts'
import { below, keyOf } from '../library/folder-keys.ts'
import type { MediaRow } from './media.store.ts'

const PAGE = 500

type Column = Exclude<keyof MediaRow, 'path'>
export type FileBelow<Chosen extends Column> = Pick<MediaRow, Chosen | 'path'>

export interface BelowOptions<Chosen extends Column> {
  /** Empty: everything there is. */
  folder: string
  columns: readonly Chosen[]
}

/** Those whose path follows `after`, `limit` at the most. */
export function pageBelow<Chosen extends Column>(
  db: Queries,
  { folder, columns }: BelowOptions<Chosen>,
  { after, limit }: { after: string; limit: number },
): Promise<FileBelow<Chosen>[]> {
  let query = db.selectFrom('media').select(['path', ...columns])
  for (const condition of below('path', keyOf(folder))) query = query.where(condition)
  const rows = query.where('path', '>', after).orderBy('path').limit(limit).execute()
  return rows as Promise<unknown> as Promise<FileBelow<Chosen>[]>
}

export async function* filesBelow<Chosen extends Column>(
  db: Queries,
  options: BelowOptions<Chosen>,
): AsyncGenerator<FileBelow<Chosen>> {
  for (let after = ''; ; ) {
    const rows = await pageBelow(db, options, { after, limit: PAGE })
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!.path
  }
}

/** A folder is there when a file lies in it. */
export async function hasFilesBelow(db: Queries, folder: string): Promise<boolean> {
  return (await pageBelow(db, { folder, columns: [] }, { after: '', limit: 1 })).length > 0
}
