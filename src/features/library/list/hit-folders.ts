/**
 * Finds the folders that contain files of a filtered list, with the totals of these files. Without a search,
 * one query gives both the total of the list and the folders shown beside it. The result of the query is
 * cached until the database changes.
 */
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { sortNaturally } from '../../../database/natural-key.ts'
import { type Area, isFolderInside, isTopOfLimitedArea } from '../../../http/access/library-area.ts'
import { folderOf, keyOf } from '../../folders/folder-keys.ts'
import { type FolderTotals, foldersWithFiles } from '../../folders/folders.store.ts'
import { hasAtMostKindFilter, hasOnlyUnusedFilter } from './file-filter.ts'
import type { FoundFolder } from './folder-search.ts'
import { filterConditions, type ListFilter } from './listing.store.ts'

/** A folder by its key (the path with a final `/`), with the totals of the matching files directly in it. */
export type FolderHits = { key: string } & FolderTotals

/** Maximum number of cached results; each has an entry per folder with matching files. */
const MAX_CACHED_RESULTS = 20

export type FindHits = ReturnType<typeof createFindHits>

/**
 * Returns a function that finds the folders with files that match a filter, subfolders included. The function
 * ignores the search of the filter: with a search, the caller shows only folders that the search has found,
 * and every path below such a folder matches the search.
 */
export function createFindHits(database: Database) {
  const { slowRead: db, queryTraits } = database
  const cache = new Map<string, { version: number; hits: readonly FolderHits[] }>()

  async function readHits(filter: ListFilter): Promise<FolderHits[]> {
    if (hasAtMostKindFilter(filter)) return foldersWithFiles(db, filter.area, { kinds: filter.kinds })
    const conditions = filterConditions(filter, queryTraits)
    // If the filter tests only the last use, SQLite reads nothing but an index of migration 0048, in a third
    // of the time.
    const table = hasOnlyUnusedFilter(filter) ? sql`media` : queryTraits.galleryTable
    const { rows } = await sql<FolderHits>`select folder as key, count(*) as files, sum(size) as bytes
      from ${table} where ${sql.join(conditions, sql` and `)} group by folder`.execute(db)
    return rows.map(({ key, files, bytes }) => ({ key, files: Number(files), bytes: Number(bytes) }))
  }

  return async (filter: ListFilter): Promise<readonly FolderHits[]> => {
    const deepFilter = { ...filter, includesSubfolders: true, search: undefined }
    const key = JSON.stringify(deepFilter)
    // The version is read before the hits: a commit in between changes it, so that the next call reads the
    // hits again.
    const { version } = await database.currentState()
    const cachedHits = cache.get(key)
    if (cachedHits?.version === version) return cachedHits.hits
    const hits = await readHits(deepFilter)
    if (cache.size >= MAX_CACHED_RESULTS) cache.clear()
    cache.set(key, { version, hits })
    return hits
  }
}

export const totalOfHits = (hits: readonly FolderHits[], { area, includesSubfolders }: ListFilter): number =>
  hits.reduce(
    (sum, { key, files }) => (includesSubfolders || key === keyOf(area.baseFolder) ? sum + files : sum),
    0,
  )

/** The folders directly inside the area that contain hits (matching files), with the totals of these hits. */
export function childFoldersWithHits(hits: readonly FolderHits[], area: Area): FoundFolder[] {
  const areaKey = keyOf(area.baseFolder)
  const childFolderOf = (key: string) =>
    isTopOfLimitedArea(area)
      ? area.folders.find(folder => isFolderInside(folderOf(key), { ...area, folders: [folder] }))
      : key === areaKey
        ? undefined
        : key.slice(0, key.indexOf('/', areaKey.length))
  const foundByPath = new Map<string, FoundFolder>()
  for (const { key, files, bytes } of hits) {
    const path = childFolderOf(key)
    if (path !== undefined) addTotals(foundByPath, path, path.slice(areaKey.length), { files, bytes })
  }
  return sortNaturally([...foundByPath.values()], ({ name }) => name)
}

/** Those of `folders` that contain hits, with the totals of these hits. */
export function foldersWithHits(hits: readonly FolderHits[], folders: readonly FoundFolder[]): FoundFolder[] {
  const foundByPath = new Map<string, FoundFolder>()
  for (const { key, files, bytes } of hits)
    for (const { path, name } of folders)
      if (key.startsWith(keyOf(path))) addTotals(foundByPath, path, name, { files, bytes })
  return folders.flatMap(({ path }) => foundByPath.get(path) ?? [])
}

function addTotals(
  foundByPath: Map<string, FoundFolder>,
  path: string,
  name: string,
  { files, bytes }: FolderTotals,
): void {
  const foundFolder = foundByPath.get(path) ?? { name, path, files: 0, bytes: 0 }
  foundByPath.set(path, {
    ...foundFolder,
    files: foundFolder.files + files,
    bytes: foundFolder.bytes + bytes,
  })
}
