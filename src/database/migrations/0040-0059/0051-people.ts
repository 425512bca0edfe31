/** Adds the time, address and program of the last use to each session; creates the table of invitations. */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // The three new columns are null for sessions that an earlier version created.
  await db.schema.alterTable('session').addColumn('seen_at', engine.bigint).execute()
  for (const column of ['address', 'program'])
    await db.schema.alterTable('session').addColumn(column, 'text').execute()

  // A row is deleted when the invitation is accepted or withdrawn, so an invitation without a row cannot be
  // accepted.
  await db.schema
    .createTable('invitation')
    .addColumn('id', 'text', column => column.primaryKey())
    // SHA-256 of the code in the link. The code itself is stored nowhere.
    .addColumn('code_hash', 'text', column => column.notNull().unique())
    .addColumn('role', 'text', column => column.notNull())
    // JSON list; null: all folders.
    .addColumn('folders', 'text')
    .addColumn('created_at', engine.bigint, column => column.notNull())
    // The name as text, because the invitation outlives the account of the person who made it.
    .addColumn('created_by', 'text', column => column.notNull())
    .addColumn('expires_at', engine.bigint, column => column.notNull())
    .execute()
}
