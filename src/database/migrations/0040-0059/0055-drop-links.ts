/** Adds drop links, with which people without an account upload files. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('drop_link')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('folder', 'text', column => column.notNull())
    // Text shown to visitors.
    .addColumn('note', 'text')
    // The limit for each file; null: only the setting MAX_UPLOAD_MB applies.
    .addColumn('max_bytes', engine.bigint)
    // A list as JSON; null: all kinds of files.
    .addColumn('kinds', 'text')
    .addColumn('valid_until', engine.bigint)
    .addColumn('max_files', 'integer', column => column.notNull())
    // The number and bytes of the files that were uploaded so far.
    .addColumn('files', 'integer', column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('created_by', 'text', column => column.notNull())
    .execute()
}
