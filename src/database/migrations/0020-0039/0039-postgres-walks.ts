/** Indexes for PostgreSQL only: walking along an order of a million files past those of other folders. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.ownWalks) await sql.raw(statement).execute(db)
}
