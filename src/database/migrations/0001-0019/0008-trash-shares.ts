/**
 * Adds to the trash the row number of each file, the totals, and an index of objects not yet moved to
 * `trash/`; creates the table of share links.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // The number that the file had in `media` and gets back when restored, so that retrievals that are counted
  // under this number while the file is in the trash belong to the restored file.
  await db.schema.alterTable('trash').addColumn('media_nr', engine.bigint).execute()
  await db.schema.createIndex('trash_media').on('trash').column('media_nr').execute()

  // Indexes the files in the trash whose objects were not yet moved to `trash/`. The object's name shows
  // whether it was moved, so no separate list is needed.
  await sql`create index trash_following on trash (nr) where substr(object, 1, 6) <> 'trash/'`.execute(db)

  // One row with the number and total bytes of the files in the trash. Triggers update it in the same
  // transaction that changes the trash.
  await db.schema
    .createTable('trash_total')
    .addColumn('files', engine.bigint, column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    .execute()
  await sql`insert into trash_total (files, bytes) select count(*), coalesce(sum(size), 0) from trash`.execute(
    db,
  )
  const onInsertSql = (row: string) =>
    `update trash_total set files = files + 1, bytes = bytes + ${row}.size;`
  const onDeleteSql = (row: string) =>
    `update trash_total set files = files - 1, bytes = bytes - ${row}.size;`
  for (const statement of engine.onRowChange('trash_sum', 'trash', ['size'], { onInsertSql, onDeleteSql })) {
    await sql.raw(statement).execute(db)
  }

  await db.schema
    .createTable('share')
    // The key as in the address, not a hash: the dashboard shows every address again, and a person who can
    // read this table can also read the list of files that a key opens.
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('folder', engine.bytewiseText, column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    // A name, not a reference: the link outlives the account.
    .addColumn('created_by', 'text', column => column.notNull())
    .execute()
}
