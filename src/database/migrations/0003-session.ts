/** Accounts, their sessions, the lock against guessing, and the code that opens the set-up. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', column => column.primaryKey())
    // As it was typed.
    .addColumn('name', 'text', column => column.notNull())
    // In lower case: names are unique whatever their case, on engines that lower umlauts and on those that do not.
    .addColumn('name_key', 'text', column => column.notNull().unique())
    // argon2id, with its parameters and salt.
    .addColumn('password', 'text', column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('signed_in_at', engine.bigint)
    .execute()

  await db.schema
    .createTable('session')
    // SHA-256 of what the cookie carries, which itself is stored nowhere.
    .addColumn('hash', 'text', column => column.primaryKey())
    // The database itself sees to it that no session outlives its account.
    .addColumn('account_id', 'text', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('expires_at', engine.bigint, column => column.notNull())
    .execute()
  await db.schema.createIndex('session_account').on('session').column('account_id').execute()
  await db.schema.createIndex('session_expiry').on('session').column('expires_at').execute()

  await db.schema
    .createTable('login_lock')
    // SHA-256 of the name as tried: people type their password into the wrong field.
    .addColumn('name_hash', 'text', column => column.notNull())
    .addColumn('client', 'text', column => column.notNull())
    .addColumn('failures', 'integer', column => column.notNull())
    // 0 while there are free attempts left.
    .addColumn('locked_until', engine.bigint, column => column.notNull())
    // From here on it is as if nothing had been tried.
    .addColumn('forget_at', engine.bigint, column => column.notNull())
    .addPrimaryKeyConstraint('login_lock_key', ['name_hash', 'client'])
    .execute()
  await db.schema.createIndex('login_lock_forget').on('login_lock').column('forget_at').execute()

  // One row while no account exists; in the database, so that every instance accepts the code.
  await db.schema
    .createTable('setup')
    .addColumn('code_hash', 'text', column => column.primaryKey())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .execute()
}
