/**
 * Gives accounts a role, and optionally the folders to which they are limited. Before this migration every
 * account could do everything, so the existing ones become operators.
 */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('account')
    .addColumn('role', 'text', column => column.notNull().defaultTo('betreiber'))
    .execute()
  // A list as JSON; null: all folders.
  await db.schema.alterTable('account').addColumn('folders', 'text').execute()
}
