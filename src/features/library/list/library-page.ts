/**
 * Reads a page of the library: the files of a folder or a search, and the folders that are shown beside them.
 */

import type { SortOrder } from '../../../contract/files/choices.ts'
import type { LibraryQuery } from '../../../contract/files/library.ts'
import { sortNaturally } from '../../../database/natural-key.ts'
import { failure } from '../../../errors/errors.ts'
import type { Area } from '../../../http/access/library-area.ts'
import type { FeatureParts } from '../../feature.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { countFiles, directSubfolders } from '../../folders/folders.store.ts'
import { listFilterOf } from '../change/list-result.ts'
import { hasNoFileConditions } from './file-filter.ts'
import { fileOnWire } from './file-on-wire.ts'
import { findFolders } from './folder-search.ts'
import { childFoldersWithHits, foldersWithHits } from './hit-folders.ts'
import type { ListFilter, ListOrder } from './listing.store.ts'
import { createListing } from './listing.ts'

const SORT_COLUMNS: Readonly<Record<SortOrder, ListOrder['column']>> = {
  name: 'path',
  size: 'size',
  updated_at: 'updated_at',
  abrufe: 'retrievals',
  zuletzt_abgerufen: 'retrieved_at',
}

type LibraryPageParts = Pick<FeatureParts, 'database' | 'settings' | 'now'>

export function createReadLibraryPage({ database, settings, now }: LibraryPageParts) {
  const listing = createListing(database)

  /**
   * Finds the folders to show beside the files: without a search, the folders directly in the area; with a
   * search, the folders of the area that match it. If the filter has other conditions, only folders that
   * contain matching files are included, with the totals of these files. `filesBelow` is the number of all
   * files in the area.
   */
  async function readShownFolders(filter: ListFilter) {
    const { area, search } = filter
    if (search === undefined && hasNoFileConditions(filter)) {
      const { folders, filesBelow } = await directSubfolders(database, area)
      const sortedFolders = sortNaturally(folders, ({ name }) => name)
      return {
        folders: sortedFolders.map(folder => ({ ...folder, path: keyOf(area.baseFolder) + folder.name })),
        filesBelow,
      }
    }
    const filesBelow = await countFiles(database.slowRead, { area })
    if (search === undefined)
      return { folders: childFoldersWithHits(await listing.findHits(filter), area), filesBelow }
    const foundFolders = await findFolders(database, area, search)
    const folders =
      foundFolders.length === 0 || hasNoFileConditions(filter)
        ? foundFolders
        : foldersWithHits(await listing.findHits(filter), foundFolders)
    return { folders, filesBelow }
  }

  return async function readPage(query: LibraryQuery, area: Area) {
    const { seite, anzahl } = query
    const filter = listFilterOf(query, area, now())
    const { folders, filesBelow } = await readShownFolders(
      filter ?? { area, includesSubfolders: true, search: [] },
    )
    if (area.baseFolder !== '' && filesBelow === 0) throw failure.folderAbsent()
    const { files, total } = filter
      ? await listing.readPage(
          filter,
          { column: SORT_COLUMNS[query.sortierung], descending: query.richtung === 'ab' },
          { offset: (seite - 1) * anzahl, limit: anzahl },
          filesBelow,
        )
      : { files: [], total: 0 }
    const { PUBLIC_URL } = settings.current()
    return {
      dateien: files.map(file => fileOnWire(file, PUBLIC_URL)),
      ordner: folders.map(({ name, path, files, bytes }) => ({ name, pfad: path, dateien: files, bytes })),
      gesamt: total,
      seite,
      anzahl,
    }
  }
}
