/**
 * Maintains the number of files that were never retrieved, for the overview: counting them took 20 ms with a
 * million files, and ten times as long with ten million.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // A table with one row.
  await db.schema
    .createTable('unretrieved_total')
    .addColumn('files', engine.bigint, column => column.notNull())
    .execute()
  await sql`insert into unretrieved_total (files) select count(*) from media where retrievals < 1`.execute(db)
  for (const statement of engine.unretrievedStatements) await sql.raw(statement).execute(db)
}
