/** The scrub's position in the database, so that a restart or another instance continues there. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { ScrubTable } from '../../database/schema.ts'

export type ScrubState = Selectable<ScrubTable>

export const scrubState = (db: Queries): Promise<ScrubState> =>
  db.selectFrom('scrub').selectAll().executeTakeFirstOrThrow()

export async function saveState(tx: Queries, state: ScrubState): Promise<void> {
  await tx.updateTable('scrub').set(state).execute()
}
