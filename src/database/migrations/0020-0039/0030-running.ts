/**
 * Adds two tables for a database that several machines share. `running`: the processes that use it, so that a
 * command that replaces the database can see whether any is alive. `kept`: the content ids of the files in
 * earlier states of the instance that restores have kept. The objects of these files stay in the same store
 * and are not orphans.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('running')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('host', 'text', column => column.notNull())
    .addColumn('started_at', engine.bigint, column => column.notNull())
    .addColumn('seen_at', engine.bigint, column => column.notNull())
    .execute()
  await db.schema
    .createTable('kept')
    .addColumn('id', 'text', column => column.primaryKey())
    .execute()
}
