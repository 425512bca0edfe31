/** Where a run of the backup put its archive, so that it can be looked for there also after the settings have changed. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // JSON, a list of folders; null while it runs, and for runs before this column was there.
  await db.schema.alterTable('backup').addColumn('places', 'text').execute()
}
