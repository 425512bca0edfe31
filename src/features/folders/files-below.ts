/** Reads files by folder, path or row number in batches, so that no query takes long. */
import type { Expression, SqlBool } from 'kysely'
import { batches, readPages } from '../../base/batches.ts'
import { pace } from '../../base/pace.ts'
import type { Queries } from '../../database/database.ts'
import type { Area } from '../../http/access/library-area.ts'
import type { MediaRow } from '../media/media.store.ts'
import { folderOf, keyOf } from './folder-keys.ts'

/** Number of rows or paths per query; such a query takes a few milliseconds. */
const FILES_PER_BATCH = 200

const SUMMARY_COLUMNS = ['nr', 'path', 'size', 'retrievals'] as const
export type FileSummary = Pick<MediaRow, (typeof SUMMARY_COLUMNS)[number]>

/** The paths between `after` and `before`, both exclusive. */
export interface PathRange {
  after: string
  before: string
}

/** The range of all paths below a folder, given by its key. */
export const pathRangeOf = (key: string): PathRange => ({
  after: key,
  before: key === '' ? UPPER_BOUND_CHARACTER : `${folderOf(key)}0`,
})

/** A character that sorts after every character of a path. */
export const UPPER_BOUND_CHARACTER = '\x7f'

type MediaColumn = keyof MediaRow

/** Reads at most `limit` files of the range, in the order of their paths. */
export function readFilePage<Chosen extends MediaColumn>(
  db: Queries,
  { after, before }: PathRange,
  { columns, limit, conditions: where = [] }: FilePageOptions<Chosen>,
): Promise<Pick<MediaRow, Chosen>[]> {
  // The query has a single lower bound: with two, SQLite would start every page at the first one.
  let query = db.selectFrom('media').select(columns).where('path', '>', after).where('path', '<', before)
  for (const condition of where) query = query.where(condition)
  const rows = query.orderBy('path').limit(limit).execute()
  return rows as Promise<unknown> as Promise<Pick<MediaRow, Chosen>[]>
}

interface FilePageOptions<Chosen extends MediaColumn> {
  columns: readonly Chosen[]
  limit: number
  conditions?: readonly Expression<SqlBool>[]
}

export const filesInRange = (
  db: Queries,
  { after, before }: PathRange,
  where: readonly Expression<SqlBool>[] = [],
): AsyncGenerator<FileSummary[]> =>
  readPages(
    (lastFile, limit) =>
      readFilePage(
        db,
        { after: lastFile?.path ?? after, before },
        { columns: SUMMARY_COLUMNS, limit, conditions: where },
      ),
    FILES_PER_BATCH,
  )

/**
 * The files of an area, folder by folder and in the order of their paths. With `start`, only those whose
 * paths begin with it and are longer.
 */
export async function* filesInArea(
  db: Queries,
  area: Area,
  { where = [], start = '' }: { where?: readonly Expression<SqlBool>[]; start?: string } = {},
): AsyncGenerator<FileSummary[]> {
  for (const folder of [...area.folders].sort()) {
    const { after, before } = pathRangeOf(keyOf(folder))
    if (!start.startsWith(after) && !after.startsWith(start)) continue
    yield* filesInRange(
      db,
      start.length > after.length
        ? { after: start, before: start + UPPER_BOUND_CHARACTER }
        : { after, before },
      where,
    )
  }
}

/**
 * Iterates over the files of an area. Reads them in pages, so that no query stays open while a client
 * receives them.
 */
export async function* walkFiles<Chosen extends MediaColumn>(
  db: Queries,
  area: Area,
  columns: readonly Chosen[],
): AsyncGenerator<Pick<MediaRow, Chosen | 'path'>> {
  const allColumns = [...new Set<Chosen | 'path'>(['path', ...columns])]
  for (const folder of [...area.folders].sort()) {
    const { after, before } = pathRangeOf(keyOf(folder))
    const readPage = (lastFile: Pick<MediaRow, Chosen | 'path'> | undefined, limit: number) =>
      readFilePage(db, { after: lastFile?.path ?? after, before }, { columns: allColumns, limit })
    for await (const rows of readPages(readPage)) yield* rows
  }
}

/** The existing files of `paths`, each once, in the order of their paths. */
export async function* filesAtPaths(db: Queries, paths: readonly string[]): AsyncGenerator<FileSummary[]> {
  const uniquePaths = [...new Set(paths)].sort()
  for (const batch of batches(uniquePaths, FILES_PER_BATCH)) {
    const filesQuery = db.selectFrom('media').select(SUMMARY_COLUMNS).where('path', 'in', batch)
    yield await filesQuery.orderBy('path').execute()
  }
}

/** The existing files with these row numbers, in the order of `numbers`. */
export async function* filesWithNumbers(
  db: Queries,
  numbers: readonly number[],
): AsyncGenerator<FileSummary[]> {
  for (const batch of batches(numbers, FILES_PER_BATCH)) {
    const rows = await db.selectFrom('media').select(SUMMARY_COLUMNS).where('nr', 'in', batch).execute()
    const rowsByNumber = new Map(rows.map(row => [row.nr, row]))
    yield batch.flatMap(nr => rowsByNumber.get(nr) ?? [])
  }
}

/** The full rows of the existing `paths`, in no particular order. */
export async function rowsAtPaths(db: Queries, paths: readonly string[]): Promise<MediaRow[]> {
  const rows: MediaRow[] = []
  for (const batch of batches(paths, FILES_PER_BATCH)) {
    rows.push(...(await db.selectFrom('media').selectAll().where('path', 'in', batch).execute()))
    await pace()
  }
  return rows
}

/** Those of `paths` at which there is a file. */
export async function takenPaths(db: Queries, paths: readonly string[]): Promise<Set<string>> {
  const existingPaths = new Set<string>()
  for (const batch of batches(paths, FILES_PER_BATCH)) {
    const rows = await db.selectFrom('media').select('path').where('path', 'in', batch).execute()
    for (const { path } of rows) existingPaths.add(path)
    await pace()
  }
  return existingPaths
}

/** The row numbers of those `files` that still have the path with which they were read. */
export async function unmovedNumbers(db: Queries, files: readonly FileSummary[]): Promise<Set<number>> {
  const numbers = new Set<number>()
  for (const batch of batches(files, FILES_PER_BATCH)) {
    const pathByNumber = new Map(batch.map(file => [file.nr, file.path]))
    const rows = await db
      .selectFrom('media')
      .select(['nr', 'path'])
      .where('nr', 'in', [...pathByNumber.keys()])
      .execute()
    for (const { nr, path } of rows) if (pathByNumber.get(nr) === path) numbers.add(nr)
    await pace()
  }
  return numbers
}
