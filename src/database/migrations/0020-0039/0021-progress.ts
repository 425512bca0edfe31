/**
 * Creates the table of the progress of maintenance, with one row for each task, so that every process can
 * send it to the dashboard pages connected to it. (The progress of a backup is in the table `backup`.)
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('progress')
    .addColumn('task', 'text', column => column.primaryKey())
    // Gets another number with each change of the row.
    .addColumn('step', engine.bigint, column => column.notNull())
    .addColumn('done', engine.bigint, column => column.notNull())
    // Null while the total is not known.
    .addColumn('total', engine.bigint)
    // 0 or 1.
    .addColumn('ended', 'integer', column => column.notNull())
    .execute()
}
