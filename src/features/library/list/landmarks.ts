/**
 * How many files are before a folder in the order of names. An index visits every row that a page skips; the
 * running figures of folders know their number, so that a far page is read from the folder shortly before it.
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
    // Called before the folders are read: a commit in between changes the version for the next call.
    const { version } = await database.currentState()
    if (known?.version !== version)
      known = { version, places: inOrder(await allFolders(browse, EVERYTHING, { most: MAX_FOLDERS + 1 })) }
    return known.places
  }

  /**
   * The last landmark with at most `offset` files before it; null without such a landmark. Exactly the files
   * before it, `before` of them below the requested folder, have a smaller sort key. Files beside folders
   * have to be counted, so only folders count that have at most `few` files beside them and their parents.
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
 * The last folder with certainly at most `offset` files before it. `upTo`: the files of all folders before
 * it, including those of its parents, some of which are after it.
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
