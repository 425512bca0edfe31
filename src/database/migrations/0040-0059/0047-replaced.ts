/**
 * Adds to the trash the reason why each file is there, with indexes for the earlier versions of a path and
 * for filtering by reason. Adds to each token whether the files that it overwrites are kept in the trash.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The column is not called `reason`, because processes of the previous version, which may still run beside
  // this one, join the trash with `finding`, which has a column of that name.
  await db.schema
    .alterTable('trash')
    .addColumn('removal_reason', 'text', column => column.notNull().defaultTo('geloescht'))
    .execute()
  for (const column of ['path', 'removal_reason'])
    await db.schema.createIndex(`trash_${column}`).on('trash').columns([column, 'deleted_at', 'nr']).execute()
  // 1 or 0; null: the setting `UEBERSCHRIEBENE` applies.
  await db.schema.alterTable('token').addColumn('keep_replaced', 'integer').execute()
}
