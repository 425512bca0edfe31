/** The set-up code as it is shown, in place of its hash. One of which only the hash is known is void; the start makes another. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from setup`.execute(db)
  await db.schema.alterTable('setup').renameColumn('code_hash', 'code').execute()
}
