/**
 * Creates the table with the progress of maintenance, one row for each task. From it, every process sends the
 * progress to the dashboard pages that are connected to that process. (The progress of a backup is in the
 * table `backup`.)
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('progress')
    .addColumn('task', 'text', column => column.primaryKey())
    // Incremented with each change of the row.
    .addColumn('step', engine.bigint, column => column.notNull())
    .addColumn('done', engine.bigint, column => column.notNull())
    // Null while the total is not known.
    .addColumn('total', engine.bigint)
    // 1 if the task has ended, otherwise 0.
    .addColumn('ended', 'integer', column => column.notNull())
    .execute()
}
