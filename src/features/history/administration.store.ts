/** Who changed what about the service. Written in the transaction that makes it happen, like the history of files. */
import type { Selectable } from 'kysely'
import { type Actor, actorColumns } from '../../access/actor.ts'
import type { AdministrationOccurrence } from '../../contract/administration.ts'
import type { Queries } from '../../database/database.ts'
import type { AdministrationTable } from '../../database/schema.ts'

export interface AdministrationEntry {
  what: AdministrationOccurrence
  /** What it was and what it is now, for people to read; null where there is none. Never a secret. */
  old: string | null
  new: string | null
}

export type AdministrationRow = Selectable<AdministrationTable>

export async function recordAdministration(
  tx: Queries,
  by: Actor,
  at: number,
  entry: AdministrationEntry,
): Promise<void> {
  await tx
    .insertInto('administration')
    .values({ at, ...actorColumns(by), what: entry.what, old: entry.old, new: entry.new })
    .execute()
}

export async function countAdministration(db: Queries): Promise<number> {
  const { count } = await db
    .selectFrom('administration')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The newest first; `before`: only older ones than this number. */
export function listAdministration(
  db: Queries,
  page: { limit: number; offset?: number; before?: number },
): Promise<AdministrationRow[]> {
  let query = db.selectFrom('administration').selectAll().orderBy('nr', 'desc').limit(page.limit)
  if (page.offset !== undefined) query = query.offset(page.offset)
  if (page.before !== undefined) query = query.where('nr', '<', page.before)
  return query.execute()
}
