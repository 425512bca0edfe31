/**
 * Runs the statements that only PostgreSQL needs: they count the existing rows, and create the triggers, the
 * table `moment` and the indexes for sorting.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.engineStatements) await sql.raw(statement).execute(db)
}
