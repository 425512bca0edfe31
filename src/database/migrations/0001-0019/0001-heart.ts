/** Creates the tables of files and tokens, and the discard list and the relocation list. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('media')
    // The internal row number, which the API does not show. It stays the same when the file is overwritten or
    // renamed.
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    // Identifies this content: overwriting the file gives a new id. Shown as the file's id.
    .addColumn('id', 'text', column => column.notNull().unique())
    // Paths are compared byte by byte on every engine, so that exactly the files below `a` are in the range
    // from `a/` to `a0` (`0` follows `/`).
    .addColumn('path', engine.bytewiseText, column => column.notNull().unique())
    // The name of the stored object. In a store whose object names follow paths, the object is renamed
    // shortly after the path of its file has changed (see the table `relocation`).
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('size', engine.bigint, column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('mime', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    // No foreign key: the files of a withdrawn token stay, and keep its id.
    .addColumn('token_id', 'text')
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('updated_at', engine.bigint, column => column.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    // The duration in seconds.
    .addColumn('duration', 'double precision')
    .addColumn('derived', 'text', column => column.notNull())
    // Incremented before each attempt to make derived files, so that a file that crashes the process is not
    // tried for ever.
    .addColumn('derive_attempts', 'integer', column => column.notNull().defaultTo(0))
    // The sizes of the WebP variant and of the preview, in bytes; null: the file has none.
    .addColumn('variant_size', engine.bigint)
    .addColumn('preview_size', engine.bigint)
    .addColumn('retrievals', engine.bigint, column => column.notNull().defaultTo(0))
    .addColumn('retrieved_at', engine.bigint)
    .execute()
  await sql`create index media_underived on media (nr) where derived = 'pending'`.execute(db)

  await db.schema
    .createTable('token')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull().unique())
    .addColumn('prefix', 'text')
    .addColumn('may_delete', 'integer', column => column.notNull())
    .addColumn('max_file', engine.bigint)
    .addColumn('quota', engine.bigint)
    .addColumn('kinds', 'text')
    .addColumn('valid_until', engine.bigint)
    .addColumn('max_edge', 'integer')
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('used_at', engine.bigint)
    .execute()

  // The discard list: stored objects that no row of `media` or `trash` names any more. An object is added in
  // the transaction that stops using it, and deleted later.
  await db.schema
    .createTable('discard')
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('due_at', engine.bigint, column => column.notNull())
    .execute()
  await db.schema.createIndex('discard_due').on('discard').column('due_at').execute()

  // The relocation list: files whose path changed and whose object still has to be renamed.
  await db.schema
    .createTable('relocation')
    .addColumn('media_nr', engine.bigint, column => column.primaryKey())
    .execute()
}
