/** Upkeep: how far the slow reading of every object has come, what it found, and rounds of derived files. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('scrub')
    // The cursor: everything up to this number is read in this round, the library before the trash.
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('after_nr', engine.bigint, column => column.notNull())
    // Bytes that may be read by now; below zero after a large file, which is waited for afterwards.
    .addColumn('credit', engine.bigint, column => column.notNull())
    .addColumn('ran_at', engine.bigint, column => column.notNull())
    // Null before the first round.
    .addColumn('round_began_at', engine.bigint)
    .addColumn('round_files', engine.bigint, column => column.notNull())
    .addColumn('round_bytes', engine.bigint, column => column.notNull())
    // When the last whole round ended.
    .addColumn('completed_at', engine.bigint)
    .execute()
  await sql`insert into scrub (place, after_nr, credit, ran_at, round_files, round_bytes)
    values ('media', 0, 0, 0, 0, 0)`.execute(db)

  await db.schema
    .createTable('finding')
    // Names the very content: what is replaced or deleted has another id or none, and its finding with it.
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('reason', 'text', column => column.notNull())
    .addColumn('found_at', engine.bigint, column => column.notNull())
    // When it was last looked at again.
    .addColumn('looked_at', engine.bigint, column => column.notNull())
    // 1 once a message was sent about it.
    .addColumn('told', 'integer', column => column.notNull())
    .execute()
  await db.schema.createIndex('finding_look').on('finding').column('looked_at').execute()

  // Where a client that drives rounds of derived files has got to.
  await db.schema
    .createTable('drive')
    .addColumn('task', 'text', column => column.primaryKey())
    .addColumn('after_nr', engine.bigint, column => column.notNull())
    .addColumn('done', engine.bigint, column => column.notNull())
    .addColumn('called_at', engine.bigint, column => column.notNull())
    .execute()
}
