/** Stores since when the database is known to lack changes that were served (`adapters/lost-changes.ts`). */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema.alterTable('instance').addColumn('older_since', engine.bigint).execute()
}
