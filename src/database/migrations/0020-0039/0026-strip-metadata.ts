/** Adds to each token whether place and camera data are taken out of the pictures that come with it. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // 1 or 0; null: as the setting says.
  await db.schema.alterTable('token').addColumn('strip_metadata', 'integer').execute()
}
