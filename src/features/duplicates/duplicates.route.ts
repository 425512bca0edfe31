/**
 * Routes for files with equal contents, `/api/dash/maintenance/doppelte`: list them, and keep one of each
 * group.
 */
import {
  DUPLICATES_ROUTE,
  duplicatesAnswer,
  duplicatesQuery,
  removeDuplicatesAnswer,
  removeDuplicatesInput,
} from '../../contract/files/duplicates.ts'
import { ACTION_HEADER } from '../../contract/upload/headers.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { fileOnWire } from '../library/list/file-on-wire.ts'
import type { Settings } from '../settings/settings.ts'
import type { Duplicates } from './duplicates.ts'

export const duplicatesRoutes = (duplicates: Duplicates, settings: Settings): SessionRoute[] => [
  sessionRoute('GET', DUPLICATES_ROUTE, {
    role: 'betreiber',
    summary: 'Dateien mit gleichem Inhalt, nach dem Platz, der frei würde',
    query: duplicatesQuery,
    answer: duplicatesAnswer,
    async handle({ query: { seite, anzahl } }) {
      const duplicatesPage = await duplicates.list({ offset: (seite - 1) * anzahl, limit: anzahl })
      const { PUBLIC_URL } = settings.current()
      return {
        gruppen: duplicatesPage.groups.map(({ sha256, size, files }) => ({
          sha256,
          size,
          dateien: files,
          bytes: (files - 1) * size,
          beispiele: (duplicatesPage.files.get(sha256) ?? []).map(file => fileOnWire(file, PUBLIC_URL)),
        })),
        gesamt: duplicatesPage.groupCount,
        seite,
        anzahl,
        ueberzaehlig: duplicatesPage.surplusCount,
        bytes: duplicatesPage.surplusBytes,
      }
    },
  }),
  sessionRoute('POST', DUPLICATES_ROUTE, {
    role: 'betreiber',
    summary: 'Behält je eine Datei und legt alle anderen mit gleichem Inhalt in den Papierkorb',
    body: removeDuplicatesInput,
    answer: removeDuplicatesAnswer,
    async handle({ body: { gruppen }, answerHeaders }, { actor }) {
      const groups = gruppen.map(({ sha256, behalten, dateien }) => ({
        sha256,
        path: behalten,
        files: dateien,
      }))
      const { files, bytes, action } = await duplicates.keep(groups, actor)
      answerHeaders.set(ACTION_HEADER, action)
      return { geloescht: files, bytes }
    },
  }),
]
