/**
 * Landmarks are folders for which it is known how many files are before them in the order of names. Reading a
 * page by an index visits every row that it skips. The running figures of folders say how many rows that
 * would be, so that a far page is read from the folder shortly before it.
 */
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { naturalKey } from '../../../database/natural-key.ts'
import { EVERYTHING } from '../../../http/access/area.ts'
import { allFolders } from '../../folders/folders.store.ts'
import { countFrom } from './listing.store.ts'

/** Maximum number of folders: with more there are no landmarks, as sorting them would delay requests. */
const MAX_FOLDERS = 20_000

/** A folder with the number of files directly in it. */
interface Place {
  folder: string
  key: string
  files: number
}

export function createFindLandmark(database: Database) {
  const { browse } = database
  let known: { version: number; places: readonly Place[] } | undefined

  /** All folders by name, cached until the database changes. */
  async function places(): Promise<readonly Place[]> {
    // The version is read before the folders: a commit in between changes it, so that the next call reads
    // them again.
    const { version } = await database.currentState()
    if (known?.version !== version)
      known = { version, places: inOrder(await allFolders(browse, EVERYTHING, { most: MAX_FOLDERS + 1 })) }
    return known.places
  }

  /**
   * The last landmark with at most `offset` files before it; null if there is none. Exactly the files before
   * it have a smaller sort key than `key`; `before` of these are below the requested folder. Files directly
   * in a parent of a folder have to be counted, so a folder is a landmark only if its parents have at most
   * `few` such files.
   */
  return async (folder: string, offset: number, few: number) => {
    const inside = (await places()).filter(place => place.folder.startsWith(folder))
    const found = lastPlace(inside, offset, few)
    if (!found) return null
    const { key, upTo, parents } = found
    const from = sql`media where folder in (${sql.join(parents)}) and natural_key >= ${key}`
    return { key, before: upTo - (parents.length === 0 ? 0 : await countFrom(browse, from)) }
  }
}

function inOrder(folders: readonly { key: string; files: number }[]): Place[] {
  if (folders.length > MAX_FOLDERS) return []
  const places = folders.map(({ key: folder, files }) => ({ folder, key: naturalKey(folder), files }))
  return places.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
}

/**
 * The last folder with certainly at most `offset` files before it. `upTo`: the number of files in all folders
 * before it, including those in its parents, some of which are after it.
 */
function lastPlace(places: readonly Place[], offset: number, few: number) {
  let found: { key: string; upTo: number; parents: string[] } | null = null
  let upTo = 0
  // Folders that differ only in leading zeros have the same key. So every folder whose key is a prefix of
  // this key, or equal to it, counts as a parent.
  let parents: Place[] = []
  for (const place of places) {
    if (upTo > offset) break
    parents = parents.filter(({ key }) => place.key.startsWith(key))
    const beside = parents.reduce((sum, { files }) => sum + files, 0)
    if (beside <= few) found = { key: place.key, upTo, parents: parents.map(({ folder }) => folder) }
    upTo += place.files
    parents.push(place)
  }
  return found
}
