/**
 * Creates the tables of saved settings, of the history of administration and of retrievals per day, and
 * indexes for the history and for the overview in the dashboard.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('setting')
    .addColumn('name', 'text', column => column.primaryKey())
    // Valid JSON. A setting without a row is not saved: its environment variable or default applies.
    .addColumn('value', 'text', column => column.notNull())
    .execute()

  await db.schema
    .createTable('administration')
    // Entries are numbered in chronological order.
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('at', engine.bigint, column => column.notNull())
    // A name, not a reference: the entries outlive accounts.
    .addColumn('who', 'text', column => column.notNull())
    // The name of the changed setting, or another administrative action.
    .addColumn('what', 'text', column => column.notNull())
    // Text for people to read; secrets are masked before they are stored.
    .addColumn('old', 'text')
    .addColumn('new', 'text')
    .execute()

  // Indexes for the filters of the history. Each ends with the entry's number, so that a page of entries,
  // newest first, is found with the index alone.
  await db.schema.createIndex('history_what').on('history').columns(['what', 'nr']).execute()
  await db.schema.createIndex('history_who').on('history').columns(['who', 'nr']).execute()
  await db.schema.createIndex('history_at').on('history').columns(['at', 'nr']).execute()

  await db.schema
    .createTable('retrieval_day')
    // A date such as `2026-11-15`, in the time zone of the service.
    .addColumn('day', 'text', column => column.primaryKey())
    .addColumn('retrievals', engine.bigint, column => column.notNull())
    .execute()

  // Indexes for the short lists of files in the overview. Its totals come from `folder_usage`, the counts of
  // the folders.
  await db.schema.createIndex('media_newest').on('media').column('updated_at').execute()
  await sql`create index media_unretrieved on media (updated_at) where retrievals < 1`.execute(db)
}
