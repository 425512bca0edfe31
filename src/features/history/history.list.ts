/**
 * Reads the history of files. No entry is ever removed, so the table may have millions of rows. Each filter
 * has an index, so that a page usually does not read the whole table.
 */
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { parseActor } from '../../contract/accounts/actors.ts'
import type { HistoryFilter } from '../../contract/files/history.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Queries } from '../../database/database.ts'
import type { HistoryTable, Schema } from '../../database/schema.ts'
import { type Area, isPathInside, isWholeLibrary } from '../../http/access/library-area.ts'
import { whereInArea } from '../folders/folder-keys.ts'

export type HistoryRow = Selectable<HistoryTable>

export const countHistoryEntries = (db: Queries, filter: HistoryFilter, area: Area) =>
  countRows(db.selectFrom('history').where(filterCondition(filter, area)))

/** A page of the history, newest entry first. `beforeNr`: only entries with a lower number. */
export async function listHistory(
  db: Queries,
  filter: HistoryFilter,
  area: Area,
  page: { limit: number; offset?: number; beforeNr?: number },
): Promise<HistoryRow[]> {
  // The inner query finds the numbers of the entries; if there is only one filter, it reads nothing but an
  // index. The outer query then reads whole rows, only for this page.
  const entryNumbers = db
    .selectFrom('history')
    .select('nr')
    .where(filterCondition(filter, area))
    .$if(page.beforeNr !== undefined, query => query.where('nr', '<', page.beforeNr!))
    .orderBy('nr', 'desc')
    .limit(page.limit)
    .offset(page.offset ?? 0)
  const rows = await db
    .selectFrom('history')
    .selectAll()
    .where('nr', 'in', entryNumbers)
    .orderBy('nr', 'desc')
    .execute()
  return rows.map(row => hideFormerPathOutside(row, area))
}

/**
 * SQL condition: of all entries within the area that one action wrote with the same `what`, this is the
 * first. The column `follows` does not suffice: it is 0 only for the first of them in the whole library.
 */
const leadingEntryCondition = (area: Area) =>
  sql<SqlBool>`(follows + 0 = 0 or not exists (select 1 from history as earlier where earlier.action = history.action
    and earlier.what = history.what and earlier.nr < history.nr and ${sql.join(whereInArea('earlier.path', area))}))`

/** The row as the account may see it: the former path of a file is hidden if it is outside of the area. */
export function hideFormerPathOutside(row: HistoryRow, area: Area): HistoryRow {
  const isMove = row.what === 'umbenannt' || row.what === 'verschoben'
  return isMove && row.details !== null && !isPathInside(row.details, area) ? { ...row, details: null } : row
}

/**
 * Reads the group sizes for all these rows, and returns a function that looks up the size for one of them.
 * The group of a row consists of the entries within the area that the action of the row wrote with the same
 * `what`. The size is 1 for a row without an action.
 */
export async function loadGroupSizes(
  db: Queries,
  rows: readonly HistoryRow[],
  area: Area,
): Promise<(row: HistoryRow) => number> {
  const actions = [...new Set(rows.flatMap(({ action }) => action ?? []))]
  if (actions.length === 0) return () => 1
  const counts = await db
    .selectFrom('history')
    .select(({ fn }) => ['action', 'what', fn.countAll<number | string>().as('count')])
    .where('action', 'in', actions)
    .where(({ and }) => and(whereInArea('path', area)))
    .groupBy(['action', 'what'])
    .execute()
  const sizes = new Map(counts.map(({ action, what, count }) => [`${action} ${what}`, Number(count)]))
  return ({ action, what }) => sizes.get(`${action} ${what}`) ?? 1
}

function filterCondition({ was, pfad, wer, von, bis, aktion, isLeadingOnly }: HistoryFilter, area: Area) {
  return (eb: ExpressionBuilder<Schema, 'history'>) => {
    const conditions: Expression<SqlBool>[] = whereInArea('path', area)
    if (was !== undefined) conditions.push(eb('what', '=', was))
    if (wer !== undefined && wer !== '') {
      const { kind, name } = parseActor(wer)
      conditions.push(eb('who', '=', name), eb('who_kind', '=', kind))
    }
    if (von !== undefined) conditions.push(eb('at', '>=', von))
    if (bis !== undefined) conditions.push(eb('at', '<=', bis))
    // Paths are ASCII, so every path that begins with `pfad` sorts before `pfad` followed by U+007F.
    if (pfad !== undefined && pfad !== '')
      conditions.push(eb('path', '>=', pfad), eb('path', '<', `${pfad}\u007f`))
    if (aktion !== undefined) conditions.push(eb('action', '=', aktion))
    // If there is another filter, `+ 0` keeps the database from using the index of leading entries instead of
    // the one for that filter.
    if (isLeadingOnly && !isWholeLibrary(area)) conditions.push(leadingEntryCondition(area))
    else if (isLeadingOnly) conditions.push(conditions.length === 0 ? sql`follows = 0` : sql`follows + 0 = 0`)
    return eb.and(conditions)
  }
}
