/** The routes of both histories: `/api/dash/verlauf` and `/api/dash/verwaltung`. */

import { administrationAnswer, administrationQuery } from '../../contract/accounts/administration.ts'
import { fileHistoryAnswer, historyAnswer, historyQuery } from '../../contract/files/history.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { failure } from '../../errors/errors.ts'
import { actorTextOfRow } from '../../http/access/actor.ts'
import { fileTarget, type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import {
  type AdministrationRow,
  countAdministrationEntries,
  listAdministrationEntries,
} from './administration.store.ts'
import { historyOfFile } from './file-history.ts'
import { countHistoryEntries, type HistoryRow, listHistory, loadGroupSizes } from './history.list.ts'

export function historyRoutes({ database }: Pick<FeatureParts, 'database'>): SessionRoute[] {
  // Counts, and pages far from the start, are slow in a long history and must not delay other reads.
  const { slowRead } = database
  return [
    sessionRoute('GET', `${DASHBOARD_ROUTE}/verlauf`, {
      role: 'redaktion',
      targets: ({ query }) => pathStartOf(query),
      summary: 'Was mit Dateien geschah, das Neueste zuerst',
      query: historyQuery,
      answer: historyAnswer,
      async handle({ query: { seite, anzahl, gruppen, ...filters } }, { area }) {
        const isLeadingOnly = gruppen === '1' && !filters.pfad && filters.aktion === undefined
        const filter = { ...filters, isLeadingOnly }
        const rows = await listHistory(slowRead, filter, area, pageOf(seite, anzahl))
        const groupSizeOf = isLeadingOnly ? await loadGroupSizes(slowRead, rows, area) : () => 1
        const groupedOnWire = (row: HistoryRow) => ({
          ...entryOnWire(row),
          aktion: row.action,
          dateien: groupSizeOf(row),
        })
        return {
          eintraege: rows.map(gruppen === '1' ? groupedOnWire : entryOnWire),
          gesamt: await countHistoryEntries(slowRead, filter, area),
          seite,
          anzahl,
        }
      },
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/verlauf/datei/:pfad{.+}`, {
      role: 'ansicht',
      targets: fileTarget,
      summary: 'Was mit einer Datei geschah, auch unter ihren früheren Namen; höchstens 200 Einträge',
      answer: fileHistoryAnswer,
      async handle({ param }, { allowedArea }) {
        const path = param('pfad')
        if (!(await database.servedFile(path))) throw failure.fileAbsent()
        return { eintraege: (await historyOfFile(database.read, path, allowedArea)).map(entryOnWire) }
      },
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/verwaltung`, {
      role: 'betreiber',
      summary: 'Wer wann welche Einstellung, welches Token und welches Konto geändert hat',
      query: administrationQuery,
      answer: administrationAnswer,
      async handle({ query: { seite, anzahl } }) {
        const rows = await listAdministrationEntries(slowRead, pageOf(seite, anzahl))
        return {
          eintraege: rows.map(administrationOnWire),
          gesamt: await countAdministrationEntries(slowRead),
          seite,
          anzahl,
        }
      },
    }),
  ]
}

/** The start of the paths that the filter asks for, as the `targets` option of a route expects it. */
export const pathStartOf = ({ pfad }: { pfad?: string | undefined }) => (pfad ? { pathPrefix: pfad } : {})

const pageOf = (pageNumber: number, pageSize: number) => ({
  limit: pageSize,
  offset: (pageNumber - 1) * pageSize,
})

const entryOnWire = (row: HistoryRow) => ({
  zeit: row.at,
  was: row.what,
  pfad: row.path,
  wer: actorTextOfRow(row),
  bytes: row.bytes,
  einzelheiten: row.details,
})

const administrationOnWire = (row: AdministrationRow) => ({
  zeit: row.at,
  wer: actorTextOfRow(row),
  was: row.what,
  alt: row.old,
  neu: row.new,
})
