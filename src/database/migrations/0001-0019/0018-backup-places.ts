/**
 * Records the folders in which each backup's archive is, so that it can be found after the settings have
 * changed.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A JSON list of folders; null while the backup runs, and for runs before this column existed.
  await db.schema.alterTable('backup').addColumn('places', 'text').execute()
}
