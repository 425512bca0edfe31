/** All files below a folder in the order of their paths, page by page: no read stays open while a client takes its time. */
import { pages } from '../../batches.ts'
import type { Queries } from '../../database/database.ts'
import type { MediaRow } from '../media/media.store.ts'
import { keyOf } from './folder-keys.ts'
import { rangeOf } from './rows-below.ts'

type Column = Exclude<keyof MediaRow, 'path'>
export type WalkedFile<Chosen extends Column> = Pick<MediaRow, Chosen | 'path'>

export interface WalkOptions<Chosen extends Column> {
  /** Empty: everything there is. */
  folder: string
  columns: readonly Chosen[]
}

/** Those whose path follows `after`, `limit` at the most. */
export function filePage<Chosen extends Column>(
  db: Queries,
  { folder, columns }: WalkOptions<Chosen>,
  { after, limit }: { after: string; limit: number },
): Promise<WalkedFile<Chosen>[]> {
  const range = rangeOf(keyOf(folder))
  // One lower bound: of two, SQLite would begin at the folder's start each time and read all pages again.
  const rows = db
    .selectFrom('media')
    .select(['path', ...columns])
    .where('path', '>', after > range.after ? after : range.after)
    .where('path', '<', range.before)
    .orderBy('path')
    .limit(limit)
    .execute()
  return rows as Promise<unknown> as Promise<WalkedFile<Chosen>[]>
}

export async function* walkFiles<Chosen extends Column>(
  db: Queries,
  options: WalkOptions<Chosen>,
): AsyncGenerator<WalkedFile<Chosen>> {
  const read = (last: WalkedFile<Chosen> | undefined, limit: number) =>
    filePage(db, options, { after: last?.path ?? '', limit })
  for await (const rows of pages(read)) yield* rows
}
