/** Saved settings, who changed what about the service, and the figures of the overview. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('setting')
    .addColumn('name', 'text', column => column.primaryKey())
    // JSON, already checked. No row: not saved, the environment or the default counts.
    .addColumn('value', 'text', column => column.notNull())
    .execute()

  await db.schema
    .createTable('administration')
    // Its order is the order of time.
    .addColumn('nr', engine.serial, column => engine.asSerial(column))
    .addColumn('at', engine.bigint, column => column.notNull())
    // A name, not a reference: this list outlives accounts.
    .addColumn('who', 'text', column => column.notNull())
    // The name of a setting, or what else was done.
    .addColumn('what', 'text', column => column.notNull())
    // As text for people; secrets are masked before they get here.
    .addColumn('old', 'text')
    .addColumn('new', 'text')
    .execute()

  // What the history is filtered by. Each ends with the number, so that the newest page comes out of the index.
  await db.schema.createIndex('history_what').on('history').columns(['what', 'nr']).execute()
  await db.schema.createIndex('history_who').on('history').columns(['who', 'nr']).execute()
  await db.schema.createIndex('history_at').on('history').columns(['at', 'nr']).execute()

  await db.schema
    .createTable('retrieval_day')
    // `2026-11-15`, in the service's own time zone.
    .addColumn('day', 'text', column => column.primaryKey())
    .addColumn('retrievals', engine.bigint, column => column.notNull())
    .execute()

  // The short lists of the overview; its totals come from the folders' figures.
  await db.schema.createIndex('media_newest').on('media').column('updated_at').execute()
  await sql`create index media_unretrieved on media (updated_at) where retrievals < 1`.execute(db)
}
