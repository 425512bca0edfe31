/** Rebuilds the search index, which now also finds texts of two characters (decision 0012). */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  const statements = [
    ...engine.dropSubstringIndex('media_search'),
    ...engine.substringIndex('media_search', 'media', 'nr', 'path'),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
