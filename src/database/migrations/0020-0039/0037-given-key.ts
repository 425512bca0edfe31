/**
 * Lets an insert provide the sort key of a file (`natural-key.ts`). On SQLite the trigger that computes the
 * key has to update the row after the insert, which costs as much as the insert. It now does so only if an
 * insert provides no key.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const statement of engine.givenKeyStatements) await sql.raw(statement).execute(db)
}
