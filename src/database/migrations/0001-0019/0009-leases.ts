/** Creates the table of leases: which process may do which task, and until when. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('lease')
    .addColumn('task', 'text', column => column.primaryKey())
    .addColumn('holder', 'text', column => column.notNull())
    .addColumn('until', engine.bigint, column => column.notNull())
    .execute()
}
