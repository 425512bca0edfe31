/**
 * The histories as CSV: the newest entries, at most `CSV_ROWS_MAX`. They are read page by page, so that no
 * read transaction stays open while a slow client downloads.
 */

import { localDay, localTime } from '../../base/local-time.ts'
import {
  ADMINISTRATION_EXPORT_COLUMNS,
  ADMINISTRATION_HISTORY,
  HISTORY_EXPORT_COLUMNS,
  type HistoryFilter,
  historyExportQuery,
} from '../../contract/files/history.ts'
import { CSV_ROWS_MAX } from '../../contract/files/history-details.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import type { Database } from '../../database/database.ts'
import { actorTextOfRow } from '../../http/access/actor.ts'
import type { Area } from '../../http/access/library-area.ts'
import { type CsvCell, csvResponse, csvStream } from '../../http/answers/csv.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { listAdministrationEntries } from './administration.store.ts'
import { listHistory } from './history.list.ts'
import { pathStartOf } from './history.route.ts'

const ROWS_PER_PAGE = 500

export function historyExportRoute({ database, now }: Pick<FeatureParts, 'database' | 'now'>): SessionRoute {
  return sessionRoute('GET', `${DASHBOARD_ROUTE}/verlauf/export`, {
    role: 'redaktion',
    targets: ({ query }) =>
      query.was === ADMINISTRATION_HISTORY ? { role: 'betreiber' } : pathStartOf(query),
    summary: 'Der Verlauf als CSV, höchstens 20.000 Zeilen; was=verwaltung wählt den der Verwaltung',
    query: historyExportQuery,
    answerType: 'text/csv',
    handle({ query: { was, ...filter } }, { area }) {
      const day = localDay(now())
      if (was === ADMINISTRATION_HISTORY) {
        const stream = csvStream(ADMINISTRATION_EXPORT_COLUMNS, administrationRows(database))
        return csvResponse(`fundus-verwaltung-${day}.csv`, stream)
      }
      const rows = historyRows(database, { ...filter, was }, area)
      return csvResponse(`fundus-verlauf-${day}.csv`, csvStream(HISTORY_EXPORT_COLUMNS, rows))
    },
  })
}

function historyRows(database: Database, filter: HistoryFilter, area: Area): AsyncGenerator<CsvCell[]> {
  return pagedCsvRows(
    (limit, position) => listHistory(database.read, filter, area, { limit, ...position }),
    row => [localTime(row.at), row.what, row.path, actorTextOfRow(row), row.bytes, row.details],
  )
}

function administrationRows(database: Database): AsyncGenerator<CsvCell[]> {
  return pagedCsvRows(
    (limit, position) => listAdministrationEntries(database.read, { limit, ...position }),
    row => [localTime(row.at), actorTextOfRow(row), row.what, row.old, row.new],
  )
}

async function* pagedCsvRows<Row extends { nr: number }>(
  readPage: (limit: number, position: { beforeNr?: number }) => Promise<Row[]>,
  cellsOf: (row: Row) => CsvCell[],
): AsyncGenerator<CsvCell[]> {
  let lastPosition: { beforeNr?: number } = {}
  for (let rowsLeft = CSV_ROWS_MAX; rowsLeft > 0; rowsLeft -= ROWS_PER_PAGE) {
    const rows = await readPage(Math.min(ROWS_PER_PAGE, rowsLeft), lastPosition)
    for (const row of rows) yield cellsOf(row)
    if (rows.length < ROWS_PER_PAGE) return
    lastPosition = { beforeNr: rows.at(-1)!.nr }
  }
}
