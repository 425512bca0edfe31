/**
 * Records the name of the encoder that last tried to make a file's preview and its variant, whatever the
 * result. So a picture that cannot be decoded, or that is no smaller as WebP, is not tried again in every
 * maintenance round. Null: unknown.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('preview_encoder', 'text').execute()
  await db.schema.alterTable('media').addColumn('variant_encoder', 'text').execute()
  // The index begins with the token, so that the making of derived files can alternate between tokens: the
  // files of one token need not wait for all files of another one.
  await db.schema.dropIndex('media_underived').execute()
  await sql`create index media_underived on media (token_id, nr) where derived = 'pending'`.execute(db)
}
