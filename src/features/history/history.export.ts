/**
 * The histories as CSV rows: the newest entries, at most `CSV_ROWS_MAX`. They are read page by page, so that
 * no read transaction stays open while a slow client downloads.
 */

import { localTime } from '../../base/local-time.ts'
import type { HistoryFilter } from '../../contract/files/history.ts'
import { CSV_ROWS_MAX } from '../../contract/files/history-details.ts'
import type { Database } from '../../database/database.ts'
import { actorTextOfRow } from '../../http/access/actor.ts'
import type { Area } from '../../http/access/library-area.ts'
import type { CsvCell } from '../../http/answers/csv.ts'
import { listAdministration } from './administration.store.ts'
import { listHistory } from './history.list.ts'

const ROWS_PER_PAGE = 500

export function historyRows(
  database: Database,
  filter: HistoryFilter,
  area: Area,
): AsyncGenerator<CsvCell[]> {
  return cellsByPage(
    (limit, position) => listHistory(database.read, filter, area, { limit, ...position }),
    row => [localTime(row.at), row.what, row.path, actorTextOfRow(row), row.bytes, row.details],
  )
}

export function administrationRows(database: Database): AsyncGenerator<CsvCell[]> {
  return cellsByPage(
    (limit, position) => listAdministration(database.read, { limit, ...position }),
    row => [localTime(row.at), actorTextOfRow(row), row.what, row.old, row.new],
  )
}

async function* cellsByPage<Row extends { nr: number }>(
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
