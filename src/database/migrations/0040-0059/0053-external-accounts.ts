/**
 * Adds accounts of people who sign in with an external provider. Such an account is identified by the
 * provider (`origin`) and the provider's id of the person (`subject`), never by name. Its password hash is
 * empty.
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
