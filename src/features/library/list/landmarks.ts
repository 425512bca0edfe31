/**
 * A landmark is a folder for which the number of files before it, in the order of names, is known. Reading a
 * page along an index visits every row before the page. So a page far from the start is read from the last
 * landmark before it. The numbers of files come from the running totals of folders.
 */
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { naturalKey } from '../../../database/natural-key.ts'
import { WHOLE_LIBRARY } from '../../../http/access/library-area.ts'
import { foldersWithFiles } from '../../folders/folders.store.ts'
import { countRowsFrom } from './listing.store.ts'

/**
 * If more folders than this contain files, no landmarks are used, because sorting the folders would delay
 * requests.
 */
const MAX_COUNTED_FOLDERS = 20_000

/** A folder with the number of files directly in it. */
interface CountedFolder {
  /** The path with a final `/`. */
  folder: string
  /** The natural sort key of `folder`. */
  key: string
  files: number
}

export function createFindLandmark(database: Database) {
  const { slowRead: db } = database
  let cache: { version: number; folders: readonly CountedFolder[] } | undefined

  /**
   * All folders that directly contain files, sorted by their keys; empty if there are more than
   * `MAX_COUNTED_FOLDERS`. Cached until the database changes.
   */
  async function countedFolders(): Promise<readonly CountedFolder[]> {
    // The version is read before the folders: a commit in between changes it, so that the next call reads
    // them again.
    const { version } = await database.currentState()
    if (cache?.version !== version)
      cache = {
        version,
        folders: toCountedFolders(
          await foldersWithFiles(db, WHOLE_LIBRARY, { limit: MAX_COUNTED_FOLDERS + 1 }),
        ),
      }
    return cache.folders
  }

  /**
   * Returns a landmark below `folder` (a path with a final `/`, or empty for the whole library) that has at
   * most `offset` files of `folder` before it: the last one for which this is certain without a query. Null
   * if there is none. `key` is the sort key of the landmark: the files before it are those with a smaller
   * key. `filesBefore` is how many of them are below `folder`. Files directly in a parent folder of the
   * landmark may sort before or after it, so a query counts them. A folder with more than
   * `maxFilesInParents` such files is not used as a landmark.
   */
  return async (folder: string, offset: number, maxFilesInParents: number) => {
    const foldersBelow = (await countedFolders()).filter(candidate => candidate.folder.startsWith(folder))
    const landmark = lastLandmark(foldersBelow, offset, maxFilesInParents)
    if (!landmark) return null
    const { key, filesBefore, parents } = landmark
    const fromClause = sql`media where folder in (${sql.join(parents)}) and natural_key >= ${key}`
    return {
      key,
      filesBefore: filesBefore - (parents.length === 0 ? 0 : await countRowsFrom(db, fromClause)),
    }
  }
}

function toCountedFolders(folders: readonly { key: string; files: number }[]): CountedFolder[] {
  if (folders.length > MAX_COUNTED_FOLDERS) return []
  const countedFolders = folders.map(({ key: folder, files }) => ({ folder, key: naturalKey(folder), files }))
  return countedFolders.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

/**
 * The last folder that certainly has at most `offset` files before it, and at most `maxFilesInParents` files
 * directly in its parent folders. `filesBefore` is the number of files in all folders before it. It includes
 * every file directly in a parent folder, although some of these files may sort after the landmark.
 */
function lastLandmark(folders: readonly CountedFolder[], offset: number, maxFilesInParents: number) {
  let landmark: { key: string; filesBefore: number; parents: string[] } | null = null
  let filesBefore = 0
  // Folders whose names differ only in leading zeros of numbers have the same key. So every earlier folder
  // whose key is a prefix of the candidate's key, or equal to it, counts as a parent.
  let parents: CountedFolder[] = []
  for (const candidate of folders) {
    if (filesBefore > offset) break
    parents = parents.filter(({ key }) => candidate.key.startsWith(key))
    const filesInParents = parents.reduce((sum, { files }) => sum + files, 0)
    if (filesInParents <= maxFilesInParents)
      landmark = { key: candidate.key, filesBefore, parents: parents.map(({ folder }) => folder) }
    filesBefore += candidate.files
    parents.push(candidate)
  }
  return landmark
}
