/** Adds the time at which a share link ends. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // Null: the link has no end.
  await db.schema.alterTable('share').addColumn('valid_until', engine.bigint).execute()
}
