/**
 * Counts the files and bytes of each token. Triggers change the counts in the same transaction that adds or
 * deletes a file or changes its token or size. So reading a count is fast even with a million files.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('token_usage')
    // No foreign key: the row outlives its token, as the files do.
    .addColumn('token_id', 'text', column => column.primaryKey())
    .addColumn('files', engine.bigint, column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    .execute()
  await db.schema.createIndex('media_token').on('media').column('token_id').execute()

  const onInsertSql = (row: string) => `
    insert into token_usage (token_id, files, bytes) select ${row}.token_id, 1, ${row}.size where ${row}.token_id is not null
      on conflict (token_id) do update set files = token_usage.files + 1, bytes = token_usage.bytes + excluded.bytes;`
  const onDeleteSql = (row: string) => `
    update token_usage set files = files - 1, bytes = bytes - ${row}.size where token_id = ${row}.token_id;`
  for (const statement of engine.onRowChange('media_usage', 'media', ['token_id', 'size'], {
    onInsertSql,
    onDeleteSql,
  })) {
    await sql.raw(statement).execute(db)
  }
}
