/** What only one of the engines needs: PostgreSQL its triggers and indexes of the order. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.ownStatements) await sql.raw(statement).execute(db)
}
