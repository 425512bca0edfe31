/**
 * Creates tables for the progress of the integrity check, which slowly reads every object, for its findings,
 * and for the progress of remaking derived files.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('scrub')
    // How far the current round, one pass through all objects, has got. It reads the objects of `media` and
    // then those of `trash`. `place` is the current table; its rows up to the number `after_nr` are done.
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('after_nr', engine.bigint, column => column.notNull())
    // Number of bytes that may be read now. It grows with time, and is negative after a large file; reading
    // continues when it is positive.
    .addColumn('credit', engine.bigint, column => column.notNull())
    .addColumn('ran_at', engine.bigint, column => column.notNull())
    // Null before the first round, and between two rounds.
    .addColumn('round_began_at', engine.bigint)
    .addColumn('round_files', engine.bigint, column => column.notNull())
    .addColumn('round_bytes', engine.bigint, column => column.notNull())
    // When the last complete round ended.
    .addColumn('completed_at', engine.bigint)
    .execute()
  await sql`insert into scrub (place, after_nr, credit, ran_at, round_files, round_bytes)
    values ('media', 0, 0, 0, 0, 0)`.execute(db)

  await db.schema
    .createTable('finding')
    // The content id of the file. If no file has this id any more, because the file was replaced or deleted
    // for good, the finding is obsolete.
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('reason', 'text', column => column.notNull())
    .addColumn('found_at', engine.bigint, column => column.notNull())
    // When the object was last checked.
    .addColumn('looked_at', engine.bigint, column => column.notNull())
    // 1 once a message about this finding was queued; also if messages are switched off.
    .addColumn('told', 'integer', column => column.notNull())
    .execute()
  await db.schema.createIndex('finding_look').on('finding').column('looked_at').execute()

  // The progress of a client that repeatedly calls the route that remakes derived files.
  await db.schema
    .createTable('drive')
    .addColumn('task', 'text', column => column.primaryKey())
    .addColumn('after_nr', engine.bigint, column => column.notNull())
    .addColumn('done', engine.bigint, column => column.notNull())
    .addColumn('called_at', engine.bigint, column => column.notNull())
    .execute()
}
