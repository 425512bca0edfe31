/** Makes the search index anew: it now finds two characters too (decision 0012). */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  const statements = [
    ...engine.dropSubstringIndex('media_search'),
    ...engine.substringIndex('media_search', 'media', 'nr', 'path'),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
