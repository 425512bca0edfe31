/**
 * Lets whoever inserts a file give its sort key too (`natural-key.ts`). On SQLite the trigger can only write
 * the key behind the row, which costs an upload as much as inserting the row does. Where no key is given, the
 * trigger still makes it.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.givenKey) await sql.raw(statement).execute(db)
}
