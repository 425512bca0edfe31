/**
 * Creates the figures of the statistics: how often each file was retrieved on each of the last 90 days, and
 * how much was stored when each day began.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('retrieval_file_day')
    // The number of the file, in the library or in the trash.
    .addColumn('media_nr', engine.bigint, column => column.notNull())
    // A date in the time zone of the service, such as `2026-11-15`, as in `retrieval_day`.
    .addColumn('day', 'text', column => column.notNull())
    .addColumn('retrievals', engine.bigint, column => column.notNull())
    // On SQLite, rows are stored in the order of this key, which keeps the days of one file together.
    .addPrimaryKeyConstraint('retrieval_file_day_key', ['media_nr', 'day'])
    .modifyEnd(engine.inKeyOrderClause)
    .execute()
  // The index is for removing the days that are too old.
  await db.schema.createIndex('retrieval_file_day_age').on('retrieval_file_day').column('day').execute()

  await db.schema
    .createTable('usage_day')
    .addColumn('day', 'text', column => column.primaryKey())
    // Files and bytes stored at the start of this day, counted within about a minute. If the service was off
    // at that time, they are counted when it starts.
    .addColumn('files', engine.bigint, column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    .execute()
}
