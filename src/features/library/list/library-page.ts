/** A page of the library: the files of a folder or a search, and the folders beside them. */
import type { LibraryQuery } from '../../../contract/files/library.ts'
import type { SortOrder } from '../../../contract/values/limits.ts'
import { inNaturalOrder } from '../../../database/natural-key.ts'
import { failure } from '../../../errors/errors.ts'
import type { Area } from '../../../http/access/area.ts'
import type { FeatureParts } from '../../feature.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { countFiles, insideOf } from '../../folders/folders.store.ts'
import { filterOf } from '../change/result.ts'
import { findFolders } from './folder-search.ts'
import type { Order } from './listing.store.ts'
import { createListing } from './listing.ts'
import type { Word } from './search-words.ts'
import { fileOnWire } from './wire.ts'

const COLUMNS: Readonly<Record<SortOrder, Order['column']>> = {
  name: 'path',
  size: 'size',
  updated_at: 'updated_at',
  abrufe: 'retrievals',
  zuletzt_abgerufen: 'retrieved_at',
}

export function createLibraryPage({ database, settings }: Pick<FeatureParts, 'database' | 'settings'>) {
  const listing = createListing(database)

  /** The folders directly in a folder, or all matching ones below, and the total number of files below. */
  async function foldersFor(area: Area, search: readonly Word[] | undefined) {
    if (search === undefined) {
      const { folders, filesBelow } = await insideOf(database, area)
      const sorted = inNaturalOrder(folders, ({ name }) => name)
      return { folders: sorted.map(each => ({ ...each, path: keyOf(area.below) + each.name })), filesBelow }
    }
    const filesBelow = await countFiles(database.browse, { area })
    return { folders: await findFolders(database, area, search), filesBelow }
  }

  return async function page(query: LibraryQuery, area: Area) {
    const { seite, anzahl } = query
    const filter = filterOf(query, area)
    const { folders, filesBelow } = await foldersFor(area, filter ? filter.search : [])
    if (area.below !== '' && filesBelow === 0) throw failure.folderAbsent()
    const { files, total } = filter
      ? await listing.page(
          filter,
          { column: COLUMNS[query.sortierung], descending: query.richtung === 'ab' },
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
