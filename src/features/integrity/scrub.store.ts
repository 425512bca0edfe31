/**
 * Reads and saves the state of the integrity scrub (position, credit, counters) in the database, so that any
 * process can continue from it, also after a restart.
 */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { IntegrityProgressTable } from '../../database/schema.ts'

export type ScrubState = Selectable<IntegrityProgressTable>

export const readScrubState = (db: Queries): Promise<ScrubState> =>
  db.selectFrom('scrub').selectAll().executeTakeFirstOrThrow()

export async function saveScrubState(tx: Queries, state: ScrubState): Promise<void> {
  await tx.updateTable('scrub').set(state).execute()
}
