/** Adds the table of pictures in the configured sizes, which are served under `/b/<size>/<path>`. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('picture_size')
    .addColumn('nr', engine.serial, engine.asSerial)
    // The content id of the file. Not a foreign key: a cascade could only delete the rows, while the triggers
    // (`pictureSizeStatements`) also put the objects on the discard list.
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('spec', 'text', column => column.notNull())
    .addColumn('object', 'text')
    .addColumn('size', engine.bigint, column => column.notNull())
    .addColumn('type', 'text')
    .addColumn('sha256', 'text')
    .addColumn('problem', 'text')
    .addColumn('made_at', engine.bigint, column => column.notNull())
    .addColumn('asked_at', engine.bigint, column => column.notNull())
    .addUniqueConstraint('picture_size_key', ['source', 'spec'])
    .execute()
  // The first index is for finding stored objects that have no row, the second for removing the least
  // recently requested pictures.
  await db.schema.createIndex('picture_size_object').on('picture_size').column('object').execute()
  await db.schema
    .createIndex('picture_size_asked')
    .on('picture_size')
    .columns(['asked_at', 'nr', 'size'])
    .execute()
  for (const statement of engine.pictureSizeStatements) await sql.raw(statement).execute(db)
}
