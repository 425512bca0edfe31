/** Files, tokens, and the two lists that carry work over a crash. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('media')
    // Stays the same through overwriting and renaming; never shown.
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    // Names this very content: overwriting gives a new one. Shown as the file's id.
    .addColumn('id', 'text', column => column.notNull().unique())
    // Compared byte by byte on every engine, so that `a/` … `a0` is exactly what lies below `a`.
    .addColumn('path', engine.bytewiseText, column => column.notNull().unique())
    // Where the bytes lie now. Follows the path a little later, see the relocation list.
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('size', engine.bigint, column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('mime', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    // No foreign key: the files of a withdrawn token stay.
    .addColumn('token_id', 'text')
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('updated_at', engine.bigint, column => column.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    // Seconds.
    .addColumn('duration', 'double precision')
    .addColumn('derived', 'text', column => column.notNull())
    // Counted before each try, so that a file that takes the process down is not tried for ever.
    .addColumn('derive_attempts', 'integer', column => column.notNull().defaultTo(0))
    // Null: there is none.
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

  // Objects that a transaction let go. Filled in that transaction, emptied afterwards.
  await db.schema
    .createTable('discard')
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('due_at', engine.bigint, column => column.notNull())
    .execute()
  await db.schema.createIndex('discard_due').on('discard').column('due_at').execute()

  // Files whose path changed and whose object has to follow.
  await db.schema
    .createTable('relocation')
    .addColumn('media_nr', engine.bigint, column => column.primaryKey())
    .execute()
}
