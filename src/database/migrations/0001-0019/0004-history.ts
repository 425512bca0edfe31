/** Creates the history of files and the trash. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('history')
    // Entries are numbered in chronological order.
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('at', engine.bigint, column => column.notNull())
    .addColumn('what', 'text', column => column.notNull())
    .addColumn('path', engine.bytewiseText, column => column.notNull())
    // A name, not a reference: the history outlives tokens and accounts.
    .addColumn('who', 'text', column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    .addColumn('details', 'text')
    .execute()
  await db.schema.createIndex('history_path').on('history').columns(['path', 'nr']).execute()

  await db.schema
    .createTable('trash')
    // The entry's number, which is part of the object's name in the trash.
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('deleted_at', engine.bigint, column => column.notNull())
    .addColumn('deleted_by', 'text', column => column.notNull())
    // The columns of the deleted file. Several entries may have the same path.
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('path', engine.bytewiseText, column => column.notNull())
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('size', engine.bigint, column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('mime', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('token_id', 'text')
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('updated_at', engine.bigint, column => column.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('duration', 'double precision')
    .addColumn('variant_size', engine.bigint)
    .addColumn('preview_size', engine.bigint)
    .addColumn('retrievals', engine.bigint, column => column.notNull())
    .addColumn('retrieved_at', engine.bigint)
    .execute()
  await db.schema.createIndex('trash_age').on('trash').column('deleted_at').execute()
}
