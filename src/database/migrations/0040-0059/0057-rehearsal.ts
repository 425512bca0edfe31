/** Creates the table of rehearsed restores. A rehearsal gets its row when it has ended. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('rehearsal')
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('report', 'text', column => column.notNull())
    .execute()
}
