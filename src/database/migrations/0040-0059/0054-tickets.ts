/** Adds tickets, with which programs upload without a token, and the right of a token to list files. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('ticket')
    // SHA-256 of the secret in the ticket's address.
    .addColumn('hash', 'text', column => column.primaryKey())
    // No foreign key: the tickets of a deleted token are invalid, and removed when they have expired.
    .addColumn('token_id', 'text', column => column.notNull())
    // Complete paths, not relative to the prefix of the token. At most one of `path` and `folder` is not
    // null.
    .addColumn('path', 'text')
    .addColumn('folder', 'text')
    .addColumn('max_bytes', engine.bigint)
    // A list as JSON; null: all kinds that the token allows.
    .addColumn('kinds', 'text')
    .addColumn('overwrite', 'integer', column => column.notNull())
    .addColumn('uses_left', 'integer', column => column.notNull())
    .addColumn('valid_until', engine.bigint, column => column.notNull())
    .execute()
  await db.schema.createIndex('ticket_token').on('ticket').column('token_id').execute()
  await db.schema.createIndex('ticket_valid_until').on('ticket').column('valid_until').execute()
  await db.schema
    .alterTable('token')
    .addColumn('may_read', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
