/**
 * Stores the last known time of the clock, so that a clock jump is noticed before anything is removed because
 * of its age.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('clock')
    .addColumn('seen_at', engine.bigint, column => column.notNull())
    // Null while the clock is trusted.
    .addColumn('doubted_since', engine.bigint)
    .execute()
}
