/** Creates the tables of accounts, sessions, the lock against password guessing, and the set-up code. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', column => column.primaryKey())
    // The name as it was typed.
    .addColumn('name', 'text', column => column.notNull())
    // The name in lower case. Names are unique regardless of case, also on engines that cannot convert
    // umlauts to lower case.
    .addColumn('name_key', 'text', column => column.notNull().unique())
    // The argon2id hash, with its parameters and salt.
    .addColumn('password', 'text', column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('signed_in_at', engine.bigint)
    .execute()

  await db.schema
    .createTable('session')
    // SHA-256 of the cookie's value. The value itself is stored nowhere.
    .addColumn('hash', 'text', column => column.primaryKey())
    // The cascade ensures that no session outlives its account.
    .addColumn('account_id', 'text', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('expires_at', engine.bigint, column => column.notNull())
    .execute()
  await db.schema.createIndex('session_account').on('session').column('account_id').execute()
  await db.schema.createIndex('session_expiry').on('session').column('expires_at').execute()

  await db.schema
    .createTable('login_lock')
    // SHA-256 of the typed name, not the name: people sometimes type their password into the wrong field.
    .addColumn('name_hash', 'text', column => column.notNull())
    .addColumn('client', 'text', column => column.notNull())
    .addColumn('failures', 'integer', column => column.notNull())
    // 0 until enough attempts have failed for a lock.
    .addColumn('locked_until', engine.bigint, column => column.notNull())
    // The time from which the failed attempts no longer count.
    .addColumn('forget_at', engine.bigint, column => column.notNull())
    .addPrimaryKeyConstraint('login_lock_key', ['name_hash', 'client'])
    .execute()
  await db.schema.createIndex('login_lock_forget').on('login_lock').column('forget_at').execute()

  // One row while no account exists: the hash of the set-up code. It is in the database so that every process
  // accepts the code.
  await db.schema
    .createTable('setup')
    .addColumn('code_hash', 'text', column => column.primaryKey())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .execute()
}
