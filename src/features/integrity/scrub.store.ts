/**
 * Reads and saves the position of the scrub in the database, so that it continues there after a restart or on
 * another instance.
 */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { ScrubTable } from '../../database/schema.ts'

export type ScrubState = Selectable<ScrubTable>

export const readScrubState = (db: Queries): Promise<ScrubState> =>
  db.selectFrom('scrub').selectAll().executeTakeFirstOrThrow()

export async function saveScrubState(tx: Queries, state: ScrubState): Promise<void> {
  await tx.updateTable('scrub').set(state).execute()
}
