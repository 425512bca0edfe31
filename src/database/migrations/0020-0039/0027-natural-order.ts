/**
 * Sorts files by name as people expect, `a-3` before `a-11`: adds the sort key of each path
 * (`natural-key.ts`), which the database itself keeps up to date, and puts it into the indexes by which pages
 * are read.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .alterTable('media')
    .addColumn('natural_key', engine.bytewiseText, column => column.notNull().defaultTo(''))
    .execute()
  for (const statement of engine.naturalKey('media_natural_key', 'media', 'nr', 'path', 'natural_key')) {
    await sql.raw(statement).execute(db)
  }
  // The index of migration 0006, with the key before the path; the files on a page of a folder are found with
  // it alone.
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
    ])
    .execute()
  // The index for listing the whole library, or everything below a folder, by name.
  await db.schema.createIndex('media_natural').on('media').columns(['natural_key', 'path']).execute()
}
