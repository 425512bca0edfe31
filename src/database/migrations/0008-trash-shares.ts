/** What the trash needs to be worked with: its running figures and who must still follow; and share links. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // The number that the file had, and gets back: what is counted or derived under it meanwhile still finds it.
  await db.schema.alterTable('trash').addColumn('media_nr', engine.bigint).execute()
  await db.schema.createIndex('trash_media').on('trash').column('media_nr').execute()

  // Files whose objects have not followed into the trash store yet. The row itself says so, so there is no list of them.
  await sql`create index trash_following on trash (nr) where substr(object, 1, 6) <> 'trash/'`.execute(db)

  // One row: how much lies in the trash, kept by the database itself in whichever transaction changes it.
  await db.schema
    .createTable('trash_total')
    .addColumn('files', engine.bigint, column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    .execute()
  await sql`insert into trash_total (files, bytes) select count(*), coalesce(sum(size), 0) from trash`.execute(
    db,
  )
  const gain = (row: string) => `update trash_total set files = files + 1, bytes = bytes + ${row}.size;`
  const loss = (row: string) => `update trash_total set files = files - 1, bytes = bytes - ${row}.size;`
  for (const statement of engine.onRowChange('trash_sum', 'trash', ['size'], { gain, loss })) {
    await sql.raw(statement).execute(db)
  }

  await db.schema
    .createTable('share')
    // As it stands in the address, not a hash: the list shows every address again, and whoever can read this table
    // can read the list of files that a key opens as well.
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('folder', engine.bytewiseText, column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    // A name, not a reference: the link outlives the account.
    .addColumn('created_by', 'text', column => column.notNull())
    .execute()
}
