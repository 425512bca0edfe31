/** Finds the folders that match a search, with the totals of all files below them. */
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { sortNaturally } from '../../../database/natural-key.ts'
import { type Area, isFolderInside } from '../../../http/access/library-area.ts'
import { keyOf, whereInArea } from '../../folders/folder-keys.ts'
import type { FolderTotals } from '../../folders/folders.store.ts'
import { isWordInPath, type SearchWord, wordCondition } from './search-words.ts'

/** Maximum number of folders shown above the files; hardly anybody would read a longer list. */
const MAX_FOUND_FOLDERS = 50

export interface FoundFolder extends FolderTotals {
  name: string
  path: string
}

/**
 * Finds folders of the area that have all words in their path, and at least one word in their own name.
 * Returns the first `MAX_FOUND_FOLDERS` by path, or none if there are no words. The query reads only the rows
 * of folders whose paths have all words. These rows are enough for the totals, because the path of every
 * folder below a found folder has the words too.
 */
export async function findFolders(
  { slowRead: db, queryTraits }: Database,
  area: Area,
  words: readonly SearchWord[],
): Promise<FoundFolder[]> {
  if (words.length === 0) return []
  let query = db
    .selectFrom('folder_usage')
    .select(['folder', sql<number>`sum(files)`.as('files'), sql<number>`sum(bytes)`.as('bytes')])
    .groupBy('folder')
  for (const condition of whereInArea('folder', area)) query = query.where(condition)
  for (const word of words) query = query.where(wordCondition(word, 'folder', queryTraits))
  const foundByPath = new Map<string, FoundFolder>()
  for (const { folder, files, bytes } of await query.execute()) {
    for (const path of foldersBetween(keyOf(area.baseFolder), folder)) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (!isFolderInside(path, area)) continue
      if (!words.every(word => isWordInPath(word, path)) || !words.some(word => isWordInPath(word, name)))
        continue
      const foundFolder = foundByPath.get(path) ?? { name, path, files: 0, bytes: 0 }
      foundByPath.set(path, {
        ...foundFolder,
        files: foundFolder.files + Number(files),
        bytes: foundFolder.bytes + Number(bytes),
      })
    }
  }
  return sortNaturally([...foundByPath.values()], ({ path }) => path).slice(0, MAX_FOUND_FOLDERS)
}

/**
 * The folders below `upperKey` down to the folder of `lowerKey`: for `a/` and `a/b/c/`, these are `a/b` and
 * `a/b/c`.
 */
function foldersBetween(upperKey: string, lowerKey: string): string[] {
  const names = lowerKey.slice(upperKey.length, -1).split('/')
  return names.flatMap((name, index) => (name === '' ? [] : [upperKey + names.slice(0, index + 1).join('/')]))
}
