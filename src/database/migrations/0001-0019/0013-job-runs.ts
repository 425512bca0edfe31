/** Records when each daily job last began, so that it runs once a day across all processes and restarts. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('job_run')
    .addColumn('job', 'text', column => column.primaryKey())
    .addColumn('begun_at', engine.bigint, column => column.notNull())
    .execute()
}
