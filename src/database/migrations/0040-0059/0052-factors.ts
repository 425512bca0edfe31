/**
 * Adds the second factors of accounts (authenticator apps, emergency codes, passkeys), and the list of
 * challenges that a passkey has already answered.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('totp')
    .addColumn('account_id', 'text', column =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    // Encrypted with the key of the instance, which is in no backup.
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    // Null until the first code was entered.
    .addColumn('confirmed_at', engine.bigint)
    // The time step (RFC 6238) of the last accepted code. Codes of this step and earlier ones are refused.
    .addColumn('last_step', engine.bigint, column => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('emergency_code')
    .addColumn('account_id', 'text', column => column.notNull().references('account.id').onDelete('cascade'))
    // SHA-256: 80 random bits need no slow hash.
    .addColumn('hash', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('emergency_code_key', ['account_id', 'hash'])
    .execute()

  await db.schema
    .createTable('passkey')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('credential', 'text', column => column.notNull().unique())
    .addColumn('public_key', 'text', column => column.notNull())
    .addColumn('transports', 'text', column => column.notNull())
    .addColumn('counter', engine.bigint, column => column.notNull())
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('used_at', engine.bigint)
    .execute()
  await db.schema.createIndex('passkey_account').on('passkey').column('account_id').execute()

  await db.schema
    .createTable('spent_challenge')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('expires_at', engine.bigint, column => column.notNull())
    .execute()
}
