/**
 * Indexes for PostgreSQL only. Queries that read a million files in a sort order use them to skip files of
 * other folders, kinds and tokens without reading their rows.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.sortIndexStatements) await sql.raw(statement).execute(db)
}
