/**
 * Adds accounts of people who sign in with an external provider. They are found by the provider (`origin`)
 * and its id of the person (`subject`), never by name, and have an empty password hash.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['origin', 'subject'])
    await db.schema.alterTable('account').addColumn(column, 'text').execute()
  await db.schema
    .createIndex('account_external')
    .on('account')
    .columns(['origin', 'subject'])
    .unique()
    .execute()
}
