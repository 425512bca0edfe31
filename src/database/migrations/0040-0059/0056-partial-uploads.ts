/**
 * Adds uploads that arrive in several requests (tus). The row of a finished upload stays until it expires.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('partial_upload')
    .addColumn('id', 'text', column => column.primaryKey())
    // The owner is either a token or an account. An upload with a ticket also belongs to the ticket's token.
    .addColumn('token_id', 'text')
    .addColumn('account_id', 'text')
    .addColumn('ticket_id', 'text')
    .addColumn('length', engine.bigint, column => column.notNull())
    // `received`: the number of bytes that survive a crash. `object` and `state`: where the store has them
    // (`Storage.resumePartial`).
    .addColumn('received', engine.bigint, column => column.notNull().defaultTo(0))
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull().defaultTo(''))
    // `metadata`: as the client sent it. `plan`: what the service concluded from it, as JSON.
    .addColumn('metadata', 'text', column => column.notNull())
    .addColumn('plan', 'text', column => column.notNull())
    // The path at which the file is to be stored; null: not known yet. When `finished` is 1: the path at
    // which it was stored.
    .addColumn('path', 'text')
    .addColumn('finished', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('created_at', engine.bigint, column => column.notNull())
    .addColumn('expires_at', engine.bigint, column => column.notNull())
    // `holder`: the request that is adding bytes, at most until `held_until`. `wanted`: 1 if another request
    // waits for the holder to end.
    .addColumn('holder', 'text')
    .addColumn('held_until', engine.bigint, column => column.notNull().defaultTo(0))
    .addColumn('wanted', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  for (const owner of ['token_id', 'account_id'])
    await db.schema
      .createIndex(`partial_upload_${owner}`)
      .on('partial_upload')
      .columns([owner, 'finished'])
      .execute()
}
