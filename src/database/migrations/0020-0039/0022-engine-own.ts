/**
 * Runs statements for one engine only: they create PostgreSQL's triggers and the indexes of its sort orders.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.engineStatements) await sql.raw(statement).execute(db)
}
