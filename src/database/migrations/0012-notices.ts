/** Messages to the chat webhook: what is being gathered, what waits to be sent, and what was told of the disk. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // One row at the most: the uploads since the last message about some.
  await db.schema
    .createTable('upload_notice')
    .addColumn('nr', 'integer', column => column.primaryKey())
    .addColumn('files', engine.bigint, column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    // Lists of bounded length in the order of time, each entry between line ends.
    .addColumn('senders', 'text', column => column.notNull())
    .addColumn('paths', 'text', column => column.notNull())
    // Moved ahead by every upload; from then on it is quiet.
    .addColumn('due_at', engine.bigint, column => column.notNull())
    .execute()

  // What was told and not delivered yet. Without the address: that is read when sending.
  await db.schema
    .createTable('message')
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('occasion', 'text', column => column.notNull())
    // Plain; how the other side wants it is decided when sending.
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('due_at', engine.bigint, column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull().defaultTo(0))
    .execute()

  // One row: the level that was told last, 0 when all is well.
  await db.schema
    .createTable('disk_watch')
    .addColumn('told', 'integer', column => column.notNull())
    .execute()
  await sql`insert into disk_watch (told) values (0)`.execute(db)
}
