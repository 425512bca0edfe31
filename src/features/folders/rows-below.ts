/** All files below a folder, page by page in the order of paths, so that none of them is long to read. */
import type { Expression, SqlBool } from 'kysely'
import { batches, pages } from '../../batches.ts'
import type { Queries } from '../../database/database.ts'
import type { Pace } from '../../pace.ts'
import type { MediaRow } from '../media/media.store.ts'
import { folderOf } from './folder-keys.ts'

/** A few milliseconds each. */
const BATCH = 200

export type FileBelow = Pick<MediaRow, 'nr' | 'path' | 'size' | 'retrievals'>

/** `after` and `before` stand for no file themselves. */
export interface PathRange {
  after: string
  before: string
}

/** Everything below a folder. */
export const rangeOf = (key: string): PathRange => ({
  after: key,
  before: key === '' ? BEHIND_ALL : `${folderOf(key)}0`,
})

/** Behind every character that a path can have. */
export const BEHIND_ALL = '\x7f'

export const filesIn = (
  db: Queries,
  { after, before }: PathRange,
  where: readonly Expression<SqlBool>[] = [],
): AsyncGenerator<FileBelow[]> =>
  pages((last, limit) => {
    // One lower bound: of two, SQLite would begin at the first each time and read all pages again.
    let query = db
      .selectFrom('media')
      .select(['nr', 'path', 'size', 'retrievals'])
      .where('path', '>', last?.path ?? after)
      .where('path', '<', before)
    for (const condition of where) query = query.where(condition)
    return query.orderBy('path').limit(limit).execute()
  }, BATCH)

/** Those of `paths` that exist, once each, in the order of paths. */
export async function* filesAt(db: Queries, paths: readonly string[]): AsyncGenerator<FileBelow[]> {
  const wanted = [...new Set(paths)].sort()
  for (const some of batches(wanted, BATCH)) {
    yield await db
      .selectFrom('media')
      .select(['nr', 'path', 'size', 'retrievals'])
      .where('path', 'in', some)
      .orderBy('path')
      .execute()
  }
}

/** Every row of those paths that exist, in no particular order. */
export async function rowsAt(db: Queries, paths: readonly string[], pace: Pace): Promise<MediaRow[]> {
  const rows: MediaRow[] = []
  for (const some of batches(paths, BATCH)) {
    rows.push(...(await db.selectFrom('media').selectAll().where('path', 'in', some).execute()))
    await pace()
  }
  return rows
}

/** Those of `paths` that are taken. */
export async function takenPaths(db: Queries, paths: readonly string[], pace: Pace): Promise<Set<string>> {
  const taken = new Set<string>()
  for (const some of batches(paths, BATCH)) {
    const rows = await db.selectFrom('media').select('path').where('path', 'in', some).execute()
    for (const { path } of rows) taken.add(path)
    await pace()
  }
  return taken
}

/** The numbers of those files that still have the path they had. */
export async function unmoved(db: Queries, files: readonly FileBelow[], pace: Pace): Promise<Set<number>> {
  const same = new Set<number>()
  for (const batch of batches(files, BATCH)) {
    const some = new Map(batch.map(file => [file.nr, file.path]))
    const rows = await db
      .selectFrom('media')
      .select(['nr', 'path'])
      .where('nr', 'in', [...some.keys()])
      .execute()
    for (const { nr, path } of rows) if (some.get(nr) === path) same.add(nr)
    await pace()
  }
  return same
}
