/**
 * Gives all history entries of one action the same id, so that they are shown as one and can be undone
 * together. Entries of earlier versions, and those of single uploads, belong to no action.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('history').addColumn('action', 'text').execute()
  // 1 if an earlier entry has the same action and `what`: the list of actions shows only the earliest one.
  await db.schema
    .alterTable('history')
    .addColumn('follows', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await sql`create index history_action on history (action, what, nr) where action is not null`.execute(db)
  await sql`create index history_leading on history (nr) where follows = 0`.execute(db)
  // The filter indexes are created again with `follows` as the last column, so that the earliest entries of
  // the actions in a filtered list can be found and counted from the index alone.
  const filterColumns = { what: ['what'], who: ['who', 'who_kind'], at: ['at'] }
  for (const [name, columns] of Object.entries(filterColumns)) {
    await db.schema.dropIndex(`history_${name}`).execute()
    await db.schema
      .createIndex(`history_${name}`)
      .on('history')
      .columns([...columns, 'nr', 'follows'])
      .execute()
  }
}
