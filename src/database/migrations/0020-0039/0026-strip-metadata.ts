/** Adds to each token whether location and camera data are removed from its uploaded pictures. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // 1 or 0; null: the setting `EXIF_ENTFERNEN` applies.
  await db.schema.alterTable('token').addColumn('strip_metadata', 'integer').execute()
}
