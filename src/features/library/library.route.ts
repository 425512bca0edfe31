/**
 * Routes that read the library: `GET /api/dash/media`, `GET /api/dash/media/<pfad>`, `POST /api/dash/media/vorhanden`,
 * `GET /api/dash/aufnahme/<pfad>`, `GET /api/dash/folders`, `POST /api/dash/fehlende`.
 */
import type { SignedIn } from '../../access/callers.ts'
import {
  fileAnswer,
  folderTreeAnswer,
  type LibraryQuery,
  libraryAnswer,
  libraryQuery,
  missingAnswer,
  missingInput,
  NAMES_BODY_LIMIT,
  PATHS_BODY_LIMIT,
  presentAnswer,
  presentInput,
  takingAnswer,
} from '../../contract/library.ts'
import type { SortOrder } from '../../contract/limits.ts'
import { DASHBOARD_ROUTE } from '../../contract/session.ts'
import { inNaturalOrder } from '../../database/natural-key.ts'
import { failure } from '../../errors.ts'
import type { FeatureParts } from '../../feature.ts'
import { type Route, route } from '../../http/routes.ts'
import { createPace } from '../../pace.ts'
import { takenPaths } from '../folders/files-below.ts'
import { keyOf } from '../folders/folder-keys.ts'
import { allFolders, countFiles, insideOf } from '../folders/folders.store.ts'
import { findByPath } from '../media/media.store.ts'
import { findFolders } from './folder-search.ts'
import { folderTree } from './folder-tree.ts'
import type { Order } from './listing.store.ts'
import { createListing } from './listing.ts'
import { compareNames } from './missing.ts'
import { filterOf } from './result.ts'
import type { Word } from './search-words.ts'
import { createTaking } from './taking.ts'
import { fileOnWire } from './wire.ts'

const COLUMNS: Readonly<Record<SortOrder, Order['column']>> = {
  name: 'path',
  size: 'size',
  updated_at: 'updated_at',
  abrufe: 'retrievals',
  zuletzt_abgerufen: 'retrieved_at',
}

type Parts = Pick<FeatureParts, 'database' | 'storage' | 'settings'>

export function libraryRoutes({ database, storage, settings }: Parts): Route<SignedIn>[] {
  const taking = createTaking({ database, storage })
  const listing = createListing(database)

  /** The folders directly in a folder, or all below it that a search finds, and the number of files below in all. */
  async function foldersFor(folder: string, search: readonly Word[] | undefined) {
    if (search === undefined) {
      const { folders, filesBelow } = await insideOf(database, folder)
      const sorted = inNaturalOrder(folders, ({ name }) => name)
      return { folders: sorted.map(each => ({ ...each, path: folder + each.name })), filesBelow }
    }
    const filesBelow = await countFiles(database.browse, { folder, deep: true })
    return { folders: await findFolders(database, folder, search), filesBelow }
  }

  async function page(query: LibraryQuery) {
    const { ordner, seite, anzahl } = query
    const filter = filterOf(query)
    const { folders, filesBelow } = await foldersFor(keyOf(ordner), filter ? filter.search : [])
    if (ordner !== '' && filesBelow === 0) throw failure.folderAbsent()
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

  return [
    route('GET', `${DASHBOARD_ROUTE}/media`, {
      summary: 'Dateien eines Ordners, oder alle darunter, seitenweise',
      query: libraryQuery,
      answer: libraryAnswer,
      handle: ({ query }) => page(query),
    }),
    route('GET', `${DASHBOARD_ROUTE}/media/:pfad{.+}`, {
      summary: 'Eine Datei',
      answer: fileAnswer,
      async handle({ param }) {
        const file = await findByPath(database.read, param('pfad'))
        if (!file) throw failure.fileAbsent()
        return fileOnWire(file, settings.current().PUBLIC_URL)
      },
    }),
    route('GET', `${DASHBOARD_ROUTE}/aufnahme/:pfad{.+}`, {
      summary: 'Wann, womit und wo ein Bild aufgenommen wurde, soweit es das selbst sagt (EXIF)',
      answer: takingAnswer,
      handle: ({ param }) => taking(param('pfad')),
    }),
    route('POST', `${DASHBOARD_ROUTE}/media/vorhanden`, {
      summary: 'Welche dieser Pfade schon belegt sind; vor dem Hochladen',
      body: presentInput,
      bodyLimit: PATHS_BODY_LIMIT,
      answer: presentAnswer,
      handle: async ({ body: { pfade } }) => ({
        vorhanden: [...(await takenPaths(database.browse, pfade, createPace()))].sort(),
      }),
    }),
    route('GET', `${DASHBOARD_ROUTE}/folders`, {
      summary: 'Der Baum aller Ordner, mit Zahl und Größe der Dateien darin und darunter',
      answer: folderTreeAnswer,
      handle: async () => folderTree(await allFolders(database.browse)),
    }),
    route('POST', `${DASHBOARD_ROUTE}/fehlende`, {
      summary: 'Vergleicht eine Liste von Namen mit den Dateien, auf die ein Muster passt',
      body: missingInput,
      bodyLimit: NAMES_BODY_LIMIT,
      answer: missingAnswer,
      async handle({ body: { muster, namen } }) {
        const { missing, surplus, present } = await compareNames(database, muster, namen)
        return { fehlend: missing, ueberzaehlig: surplus, vorhanden: present }
      },
    }),
  ]
}
