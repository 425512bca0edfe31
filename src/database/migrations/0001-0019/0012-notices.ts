/**
 * Adds the tables of messages to the chat webhook: uploads that the next message will report, messages that
 * wait to be sent, and the last recorded level of disk usage.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // At most one row: the uploads with a token since the last message about uploads.
  await db.schema
    .createTable('upload_notice')
    .addColumn('nr', 'integer', column => column.primaryKey())
    .addColumn('files', engine.bigint, column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    // Lists of bounded length, oldest entry first; each entry has a newline before and after it.
    .addColumn('senders', 'text', column => column.notNull())
    .addColumn('paths', 'text', column => column.notNull())
    // When the message is due. Every upload postpones this time, so the message is sent after a quiet period.
    .addColumn('due_at', engine.bigint, column => column.notNull())
    .execute()

  // Messages that were not delivered yet. The webhook's address is not stored here: it is read when sending.
  await db.schema
    .createTable('message')
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('occasion', 'text', column => column.notNull())
    // Plain text; the format that the receiving chat needs is chosen when sending.
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('due_at', engine.bigint, column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull().defaultTo(0))
    .execute()

  // One row: the last recorded level of disk usage, in percent (`DISK_LEVELS`); 0: enough space.
  await db.schema
    .createTable('disk_watch')
    .addColumn('told', 'integer', column => column.notNull())
    .execute()
  await sql`insert into disk_watch (told) values (0)`.execute(db)
}
