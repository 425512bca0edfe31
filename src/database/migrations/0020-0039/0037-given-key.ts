/**
 * Lets an insert provide the sort key of a file (`natural-key.ts`). On SQLite the trigger can only write the
 * key after the row, which costs an upload as much as inserting the row. If no key is given, the trigger
 * still computes it.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.givenKeyStatements) await sql.raw(statement).execute(db)
}
