/**
 * Stores the set-up code itself instead of its hash. An existing code, of which only the hash is known,
 * becomes void; the next start creates another one.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from setup`.execute(db)
  await db.schema.alterTable('setup').renameColumn('code_hash', 'code').execute()
}
