/**
 * Adds the times that `Last-Modified` needs besides `updated_at`: when the content came to its present path,
 * by renaming, moving or restoring from the trash, and when its derived files were made. Null: not since the
 * content was uploaded.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const column of ['placed_at', 'derived_at']) {
    await db.schema.alterTable('media').addColumn(column, engine.bigint).execute()
  }
}
