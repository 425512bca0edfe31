/**
 * Adds the table of upload ids: repeated uploads of equal bytes to one path are one file, but each upload
 * gets its own id. A file that was uploaded once has no row in this table. From the second upload on, every
 * id that is still valid has a row, including the file's own id.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upload_id')
    .addColumn('id', 'text', column => column.primaryKey())
    // The `id` of a row in `media` or `trash`, which stays the same through renaming, trash and restore.
    .addColumn('content_id', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('upload_id_content').on('upload_id').column('content_id').execute()
}
