/** Adds the pinned folders and saved filters of accounts; `place` is the position in the account's list. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = { pinned_folder: ['folder'], saved_filter: ['name', 'query'] }
  for (const [table, textColumns] of Object.entries(columns)) {
    let tableBuilder = db.schema
      .createTable(table)
      .addColumn('account_id', 'text', column =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('place', 'integer', column => column.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['account_id', 'place'])
    for (const textColumn of textColumns)
      tableBuilder = tableBuilder.addColumn(textColumn, 'text', column => column.notNull())
    await tableBuilder.execute()
  }
}
