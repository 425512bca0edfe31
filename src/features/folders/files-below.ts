/** Reads files by folder or path in batches, so that no query takes long. */
import type { Expression, SqlBool } from 'kysely'
import { batches, pages } from '../../base/batches.ts'
import { pace } from '../../base/pace.ts'
import type { Queries } from '../../database/database.ts'
import type { Area } from '../../http/access/area.ts'
import type { MediaRow } from '../media/media.store.ts'
import { folderOf, keyOf } from './folder-keys.ts'

/** Number of rows or paths per query, which takes a few milliseconds. */
const BATCH = 200

const FILE_COLUMNS = ['nr', 'path', 'size', 'retrievals'] as const
export type FileBelow = Pick<MediaRow, (typeof FILE_COLUMNS)[number]>

/** The paths between `after` and `before`, both exclusive. */
export interface PathRange {
  after: string
  before: string
}

/** The range of all paths below a folder, given by its key. */
export const rangeOf = (key: string): PathRange => ({
  after: key,
  before: key === '' ? BEHIND_ALL : `${folderOf(key)}0`,
})

/** Sorts after every character of a path. */
export const BEHIND_ALL = '\x7f'

type Column = keyof MediaRow

/** Reads at most `limit` files of the range, by path. */
export function filePage<Chosen extends Column>(
  db: Queries,
  { after, before }: PathRange,
  { columns, limit, where = [] }: FilePageOptions<Chosen>,
): Promise<Pick<MediaRow, Chosen>[]> {
  // The query has only one lower bound: with two, SQLite would start every page at the first one.
  let query = db.selectFrom('media').select(columns).where('path', '>', after).where('path', '<', before)
  for (const condition of where) query = query.where(condition)
  const rows = query.orderBy('path').limit(limit).execute()
  return rows as Promise<unknown> as Promise<Pick<MediaRow, Chosen>[]>
}

interface FilePageOptions<Chosen extends Column> {
  columns: readonly Chosen[]
  limit: number
  where?: readonly Expression<SqlBool>[]
}

export const filesIn = (
  db: Queries,
  { after, before }: PathRange,
  where: readonly Expression<SqlBool>[] = [],
): AsyncGenerator<FileBelow[]> =>
  pages(
    (last, limit) =>
      filePage(db, { after: last?.path ?? after, before }, { columns: FILE_COLUMNS, limit, where }),
    BATCH,
  )

/** The files of an area, by path; with `start` only those whose paths begin like this. */
export async function* filesWithin(
  db: Queries,
  area: Area,
  { where = [], start = '' }: { where?: readonly Expression<SqlBool>[]; start?: string } = {},
): AsyncGenerator<FileBelow[]> {
  for (const folder of [...area.folders].sort()) {
    const { after, before } = rangeOf(keyOf(folder))
    if (!start.startsWith(after) && !after.startsWith(start)) continue
    yield* filesIn(
      db,
      start.length > after.length ? { after: start, before: start + BEHIND_ALL } : { after, before },
      where,
    )
  }
}

/** Iterates over the files of an area; no query stays open while a client reads. */
export async function* walkFiles<Chosen extends Column>(
  db: Queries,
  area: Area,
  columns: readonly Chosen[],
): AsyncGenerator<Pick<MediaRow, Chosen | 'path'>> {
  const all = [...new Set<Chosen | 'path'>(['path', ...columns])]
  for (const folder of [...area.folders].sort()) {
    const { after, before } = rangeOf(keyOf(folder))
    const read = (last: Pick<MediaRow, Chosen | 'path'> | undefined, limit: number) =>
      filePage(db, { after: last?.path ?? after, before }, { columns: all, limit })
    for await (const rows of pages(read)) yield* rows
  }
}

/** The existing files of `paths`, each once, by path. */
export async function* filesAt(db: Queries, paths: readonly string[]): AsyncGenerator<FileBelow[]> {
  const wanted = [...new Set(paths)].sort()
  for (const some of batches(wanted, BATCH)) {
    const files = db.selectFrom('media').select(FILE_COLUMNS).where('path', 'in', some)
    yield await files.orderBy('path').execute()
  }
}

/** The existing files with these numbers, in their order. */
export async function* filesNumbered(db: Queries, numbers: readonly number[]): AsyncGenerator<FileBelow[]> {
  for (const some of batches(numbers, BATCH)) {
    const rows = await db.selectFrom('media').select(FILE_COLUMNS).where('nr', 'in', some).execute()
    const byNumber = new Map(rows.map(row => [row.nr, row]))
    yield some.flatMap(nr => byNumber.get(nr) ?? [])
  }
}

/** The full rows of the existing `paths`, in no particular order. */
export async function rowsAt(db: Queries, paths: readonly string[]): Promise<MediaRow[]> {
  const rows: MediaRow[] = []
  for (const some of batches(paths, BATCH)) {
    rows.push(...(await db.selectFrom('media').selectAll().where('path', 'in', some).execute()))
    await pace()
  }
  return rows
}

/** The `paths` at which there is a file. */
export async function takenPaths(db: Queries, paths: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>()
  for (const some of batches(paths, BATCH)) {
    const rows = await db.selectFrom('media').select('path').where('path', 'in', some).execute()
    for (const { path } of rows) taken.add(path)
    await pace()
  }
  return taken
}

/** The numbers of those `files` whose path has not changed since. */
export async function unmovedNumbers(db: Queries, files: readonly FileBelow[]): Promise<Set<number>> {
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
