/**
 * Adds the times that `Last-Modified` needs besides `updated_at`. `placed_at`: when the content came to its
 * present path by renaming, moving or restoring; null: it was uploaded to this path. `derived_at`: when the
 * making of the content's derived files last ended without an error; null: not yet.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  for (const column of ['placed_at', 'derived_at']) {
    await db.schema.alterTable('media').addColumn(column, engine.bigint).execute()
  }
}
