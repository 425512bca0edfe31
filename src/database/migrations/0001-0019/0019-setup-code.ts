/**
 * Stores the set-up code as it is shown instead of its hash. A code of which only the hash is stored becomes
 * void; the next start makes another one.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from setup`.execute(db)
  await db.schema.alterTable('setup').renameColumn('code_hash', 'code').execute()
}
