/**
 * Routes that read the library: `GET /api/dash/media`, `GET /api/dash/media/<pfad>`,
 * `POST /api/dash/media/vorhanden`, `GET /api/dash/aufnahme/<pfad>`, `GET /api/dash/folders`,
 * `POST /api/dash/fehlende`.
 */

import {
  captureDetailsAnswer,
  existingPathsAnswer,
  existingPathsInput,
  fileAnswer,
  folderTreeAnswer,
  libraryAnswer,
  libraryQuery,
  missingNamesAnswer,
  missingNamesInput,
  NAMES_BODY_LIMIT,
  PATHS_BODY_LIMIT,
} from '../../../contract/files/library.ts'
import { DASHBOARD_ROUTE } from '../../../contract/paths/addresses.ts'
import { failure } from '../../../errors/errors.ts'
import { fileTarget, type SessionRoute, sessionRoute } from '../../../http/route-rights.ts'
import type { FeatureParts } from '../../feature.ts'
import { takenPaths } from '../../folders/files-below.ts'
import { foldersWithFiles } from '../../folders/folders.store.ts'
import { findByPath } from '../../media/media.store.ts'
import { createReadCaptureDetails } from './capture-details.ts'
import { fileOnWire } from './file-on-wire.ts'
import { folderTree } from './folder-tree.ts'
import { createReadLibraryPage } from './library-page.ts'
import { compareNames, patternBaseFolder } from './missing.ts'

type LibraryRouteParts = Pick<FeatureParts, 'database' | 'storage' | 'settings' | 'now'>

export function libraryRoutes({ database, storage, settings, now }: LibraryRouteParts): SessionRoute[] {
  const readCaptureDetails = createReadCaptureDetails({ database, storage })
  const readPage = createReadLibraryPage({ database, settings, now })

  return [
    sessionRoute('GET', `${DASHBOARD_ROUTE}/media`, {
      role: 'ansicht',
      targets: ({ query }) => ({ baseFolder: query.ordner }),
      summary: 'Dateien eines Ordners, oder alle darunter, seitenweise',
      query: libraryQuery,
      answer: libraryAnswer,
      handle: ({ query }, { area }) => readPage(query, area),
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/media/:pfad{.+}`, {
      role: 'ansicht',
      targets: fileTarget,
      summary: 'Eine Datei',
      answer: fileAnswer,
      async handle({ param }) {
        const file = await findByPath(database.read, param('pfad'))
        if (!file) throw failure.fileAbsent()
        return fileOnWire(file, settings.current().PUBLIC_URL)
      },
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/aufnahme/:pfad{.+}`, {
      role: 'ansicht',
      targets: fileTarget,
      summary: 'Wann, womit und wo ein Bild aufgenommen wurde, soweit es das selbst sagt (EXIF)',
      answer: captureDetailsAnswer,
      handle: ({ param }) => readCaptureDetails(param('pfad')),
    }),
    sessionRoute('POST', `${DASHBOARD_ROUTE}/media/vorhanden`, {
      role: 'ansicht',
      targets: ({ body }) => ({ paths: body.pfade }),
      summary: 'Welche dieser Pfade schon belegt sind; vor dem Hochladen',
      body: existingPathsInput,
      bodyLimit: PATHS_BODY_LIMIT,
      answer: existingPathsAnswer,
      handle: async ({ body: { pfade } }) => ({
        vorhanden: [...(await takenPaths(database.slowRead, pfade))].sort(),
      }),
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/folders`, {
      role: 'ansicht',
      targets: 'nothing',
      summary: 'Der Baum aller Ordner, mit Zahl und Größe der Dateien darin und darunter',
      answer: folderTreeAnswer,
      handle: async (_, { area }) => folderTree(await foldersWithFiles(database.slowRead, area), area),
    }),
    sessionRoute('POST', `${DASHBOARD_ROUTE}/fehlende`, {
      role: 'ansicht',
      targets: ({ body }) => ({ baseFolder: patternBaseFolder(body.muster) }),
      summary: 'Vergleicht eine Liste von Namen mit den Dateien, auf die ein Muster passt',
      body: missingNamesInput,
      bodyLimit: NAMES_BODY_LIMIT,
      answer: missingNamesAnswer,
      async handle({ body: { muster, namen } }, { area }) {
        const comparison = { pattern: muster, names: namen }
        const { missing, surplus, presentCount } = await compareNames(database, area, comparison)
        return { fehlend: missing, ueberzaehlig: surplus, vorhanden: presentCount }
      },
    }),
  ]
}
