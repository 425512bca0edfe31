/** What only one of the engines needs: PostgreSQL the counter behind `Database.moment`, and indexes as SQLite has them. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.ownStatements) await sql.raw(statement).execute(db)
}
