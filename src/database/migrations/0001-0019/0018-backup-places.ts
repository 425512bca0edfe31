/**
 * Records the targets that each backup used, so that its archive can be found after the settings have
 * changed.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A JSON list of the targets: paths of folders (empty: the default folder) and names of buckets. Null while
  // the backup runs, and for runs before this column existed.
  await db.schema.alterTable('backup').addColumn('places', 'text').execute()
}
