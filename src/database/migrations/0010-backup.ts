/** Runs of the backup: how far the present one has come, and what the last ones reported. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('backup')
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('started_at', engine.bigint, column => column.notNull())
    // What is being done, and how far: in bytes, written about once a second.
    .addColumn('step', 'text', column => column.notNull())
    .addColumn('done', engine.bigint, column => column.notNull())
    .addColumn('total', engine.bigint)
    // Both null while it runs. A row that stays so after the task has fallen free belongs to a process that died.
    .addColumn('report', 'text')
    .addColumn('ok', 'integer')
    .execute()
}
