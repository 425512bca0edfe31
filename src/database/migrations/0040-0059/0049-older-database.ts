/**
 * Adds `older_since`: the time at which the database was found to lack committed changes
 * (`adapters/lost-changes.ts`); null if none are known to be missing.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema.alterTable('instance').addColumn('older_since', engine.bigint).execute()
}
