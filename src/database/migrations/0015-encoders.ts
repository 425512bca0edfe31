/**
 * Which encoder last did what it could for a file's preview and variant, whatever came of it: a picture that cannot be
 * decoded, or that is no smaller as WebP, is not worked on in every maintenance drive. Empty: nobody knows.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('preview_encoder', 'text').execute()
  await db.schema.alterTable('media').addColumn('variant_encoder', 'text').execute()
  // By token, so that each has its turn in the queue however many files another one has there.
  await db.schema.dropIndex('media_underived').execute()
  await sql`create index media_underived on media (token_id, nr) where derived = 'pending'`.execute(db)
}
