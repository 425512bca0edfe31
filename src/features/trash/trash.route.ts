/** Routes of the trash, `/api/dash/papierkorb`: list, restore, empty, previews and contents. */

import {
  emptyTrashAnswer,
  emptyTrashInput,
  restoreAnswer,
  restoreInput,
  TRASH_MAX_AGE,
  TRASH_MAX_DAYS,
  type TrashEntryOnWire,
  trashAnswer,
  trashQuery,
} from '../../contract/files/trash.ts'
import { fileAddress, TRASH_ROUTE, trashPreviewAddress } from '../../contract/paths/addresses.ts'
import { fileHeaders } from '../../contract/upload/upload.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { contentAnswers } from '../serve/serve.route.ts'
import type { TrashContent } from './send-content.ts'
import { countEntries, listEntries, type TrashRow, trashBytesInArea } from './trash.store.ts'
import type { Trash } from './trash.ts'

/** Maximum bytes of a body: enough for as many entry numbers as one request may contain. */
const BODY_LIMIT = 256 * 1024

interface TrashRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  trash: Trash
  content: TrashContent
}

export function trashRoutes({ database, trash, content, settings }: TrashRouteParts): SessionRoute[] {
  return [
    sessionRoute('GET', TRASH_ROUTE, {
      role: 'redaktion',
      targets: ({ query: { pfad } }) => (pfad === undefined ? {} : { paths: [pfad] }),
      summary: 'Was im Papierkorb liegt, das zuletzt Gelöschte zuerst',
      query: trashQuery,
      answer: trashAnswer,
      async handle({ query: { seite, anzahl, ...filter } }, { allowedArea }) {
        const page = { limit: anzahl, offset: (seite - 1) * anzahl }
        const rows = await listEntries(database.slowRead, filter, allowedArea, page)
        const gesamt = await countEntries(database.slowRead, filter, allowedArea)
        const bytes = await trashBytesInArea(database.slowRead, allowedArea)
        const limits = { maxBytes: trash.maxBytes(), maxTage: TRASH_MAX_DAYS }
        return { eintraege: rows.map(trashEntryOnWire), gesamt, seite, anzahl, bytes, ...limits }
      },
    }),
    sessionRoute('GET', `${TRASH_ROUTE}/vorschau/:nr`, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Die Vorschau einer Datei im Papierkorb',
      answerType: 'image/webp',
      answers: { 304: null },
      handle: ({ request, param }, { allowedArea }) => content.sendPreview(request, param('nr'), allowedArea),
    }),
    sessionRoute('GET', `${TRASH_ROUTE}/inhalt/:nr`, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Eine Datei aus dem Papierkorb zum Herunterladen, ohne sie wiederherzustellen',
      handlerInput: { headers: fileHeaders },
      answerType: '*/*',
      answers: contentAnswers('*/*'),
      handle: ({ request, param }, { allowedArea }) =>
        content.sendOriginal(request, param('nr'), allowedArea),
    }),
    sessionRoute('POST', `${TRASH_ROUTE}/wiederherstellen`, {
      role: 'redaktion',
      targets: 'nothing',
      summary:
        'Stellt Dateien unter ihrem alten Pfad wieder her; ein belegter Pfad wird nur mit „ersetzen“ überschrieben',
      body: restoreInput,
      bodyLimit: BODY_LIMIT,
      answer: restoreAnswer,
      async handle({ body }, { actor, allowedArea }) {
        const options = { allowedArea, replace: body.ersetzen }
        const { restoredFiles, refusedEntries } = await trash.restore(body.nummern, actor, options)
        const { PUBLIC_URL } = settings.current()
        return {
          wiederhergestellt: restoredFiles.map(({ nr, path }) => ({
            nr,
            path,
            url: fileAddress(PUBLIC_URL, path),
          })),
          abgelehnt: refusedEntries.map(({ nr, reason }) => ({
            nr,
            grund: reason.sentence,
            code: reason.code,
          })),
        }
      },
    }),
    sessionRoute('POST', `${TRASH_ROUTE}/leeren`, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Entfernt Dateien endgültig: die genannten, oder ohne „nummern“ alle',
      body: emptyTrashInput,
      isBodyOptional: true,
      bodyLimit: BODY_LIMIT,
      answer: emptyTrashAnswer,
      async handle({ body }, { actor, allowedArea }) {
        const { files, bytes } = await trash.empty(body.nummern, actor, allowedArea)
        return { entfernt: files, bytes }
      },
    }),
  ]
}

function trashEntryOnWire(row: TrashRow): TrashEntryOnWire {
  return {
    nr: row.nr,
    path: row.path,
    size: row.size,
    mime: row.mime,
    art: row.kind,
    geloescht_am: row.deleted_at,
    geloescht_von: row.deleted_by,
    grund: row.removal_reason,
    verfaellt_am: row.deleted_at + TRASH_MAX_AGE,
    vorschau: row.preview_size === null ? null : trashPreviewAddress(row.nr),
  }
}
