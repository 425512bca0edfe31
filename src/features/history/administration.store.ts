/**
 * The administration history: who changed settings, tokens, accounts, links and the like. Entries are written
 * in the same transaction as the change.
 */
import type { Selectable } from 'kysely'
import type { AdministrationOccurrence } from '../../contract/accounts/administration.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Queries } from '../../database/database.ts'
import type { AdministrationTable } from '../../database/schema.ts'
import { type Actor, actorColumns } from '../../http/access/actor.ts'

export interface AdministrationEntry {
  what: AdministrationOccurrence
  /** The value before and after the change, as text for people; null if there was none. Never a secret. */
  old: string | null
  new: string | null
}

export type AdministrationRow = Selectable<AdministrationTable>

export async function recordAdministration(
  tx: Queries,
  actor: Actor,
  time: number,
  entry: AdministrationEntry,
): Promise<void> {
  await tx
    .insertInto('administration')
    .values({ at: time, ...actorColumns(actor), what: entry.what, old: entry.old, new: entry.new })
    .execute()
}

export const countAdministrationEntries = (db: Queries) => countRows(db.selectFrom('administration'))

/** A page of the history, newest entry first. `beforeNr`: only entries with a lower number. */
export function listAdministrationEntries(
  db: Queries,
  page: { limit: number; offset?: number; beforeNr?: number },
): Promise<AdministrationRow[]> {
  let query = db.selectFrom('administration').selectAll().orderBy('nr', 'desc').limit(page.limit)
  if (page.offset !== undefined) query = query.offset(page.offset)
  if (page.beforeNr !== undefined) query = query.where('nr', '<', page.beforeNr)
  return query.execute()
}
