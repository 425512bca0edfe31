/** Statements that only PostgreSQL needs, to page and search a million files as quickly as SQLite does. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.searchStatements) await sql.raw(statement).execute(db)
}
