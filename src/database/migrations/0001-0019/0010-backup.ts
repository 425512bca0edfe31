/** Creates the table of backup runs: the progress of the current run, and the reports of earlier runs. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('backup')
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('started_at', engine.bigint, column => column.notNull())
    // The current step and its progress in bytes, updated about once a second.
    .addColumn('step', 'text', column => column.notNull())
    .addColumn('done', engine.bigint, column => column.notNull())
    .addColumn('total', engine.bigint)
    // `report` and `ok` are null while the backup runs. If they are null although no process holds the backup
    // lease, the process of that run died.
    .addColumn('report', 'text')
    .addColumn('ok', 'integer')
    .execute()
}
