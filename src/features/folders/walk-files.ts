/** Walks the files below a folder in the order of paths, page by page: no query stays open while a client reads. */
import { pages } from '../../batches.ts'
import type { Queries } from '../../database/database.ts'
import type { MediaRow } from '../media/media.store.ts'
import { keyOf } from './folder-keys.ts'
import { rangeOf } from './rows-below.ts'

type Column = Exclude<keyof MediaRow, 'path'>
export type WalkedFile<Chosen extends Column> = Pick<MediaRow, Chosen | 'path'>

interface WalkOptions<Chosen extends Column> {
  /** The folder without a final `/`; empty for the whole library. */
  folder: string
  columns: readonly Chosen[]
}

/** One page: files whose path follows `after`, at most `limit` of them. */
export function filePage<Chosen extends Column>(
  db: Queries,
  { folder, columns }: WalkOptions<Chosen>,
  { after, limit }: { after: string; limit: number },
): Promise<WalkedFile<Chosen>[]> {
  const range = rangeOf(keyOf(folder))
  // Only one lower bound: with two, SQLite would begin at the folder's start for every page and read all pages again.
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
