/**
 * Lets the dashboard page, sort and search a million files: adds the folder of each file, counts for every
 * folder, and indexes. A generated column and triggers keep the folders and the counts up to date.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .alterTable('media')
    // The path up to and including the last `/`; empty for a file that is in no folder. The folders of all
    // files below `a/` are those with `folder >= 'a/'` and `folder < 'a0'`: `0` is the character after `/`.
    .addColumn('folder', engine.bytewiseText, column =>
      engine.computedColumn(column, engine.folderOf('path')),
    )
    .execute()
  await createFolderUsage(db, engine)

  // The files on a page of a folder, in any order, are found with this index alone, without reading rows. One
  // wide index costs an upload half as much as one index for each order.
  await db.schema
    .createIndex('media_gallery')
    .on('media')
    .columns(['folder', 'path', 'kind', 'token_id', 'size', 'updated_at', 'retrievals', 'retrieved_at'])
    .execute()
  // Indexes for the sort orders of the whole library. The order by path uses the unique index of `path`;
  // migration 0007 adds the index by `updated_at`.
  await db.schema.createIndex('media_size').on('media').column('size').execute()
  await db.schema.createIndex('media_retrievals').on('media').column('retrievals').execute()
  await db.schema.createIndex('media_retrieved').on('media').column('retrieved_at').execute()

  for (const statement of engine.substringIndex('media_search', 'media', 'nr', 'path')) {
    await sql.raw(statement).execute(db)
  }
}

/**
 * Counts the files and bytes directly in each folder (not in its subfolders), by kind. A folder that has no
 * files directly in it has no row.
 */
async function createFolderUsage(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('folder_usage')
    .addColumn('folder', engine.bytewiseText, column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('files', engine.bigint, column => column.notNull())
    .addColumn('bytes', engine.bigint, column => column.notNull())
    .addPrimaryKeyConstraint('folder_usage_key', ['folder', 'kind'])
    .modifyEnd(engine.inKeyOrderClause)
    .execute()
  await sql`insert into folder_usage (folder, kind, files, bytes)
    select folder, kind, count(*), sum(size) from media group by folder, kind`.execute(db)

  const onInsertSql = (row: string) => `
    insert into folder_usage (folder, kind, files, bytes) values (${row}.folder, ${row}.kind, 1, ${row}.size)
      on conflict (folder, kind) do update
      set files = folder_usage.files + 1, bytes = folder_usage.bytes + excluded.bytes;`
  const onDeleteSql = (row: string) => `
    update folder_usage set files = files - 1, bytes = bytes - ${row}.size
      where folder = ${row}.folder and kind = ${row}.kind;
    delete from folder_usage where folder = ${row}.folder and kind = ${row}.kind and files = 0;`
  const columns = ['path', 'kind', 'size']
  for (const statement of engine.onRowChange('media_folder', 'media', columns, {
    onInsertSql,
    onDeleteSql,
  })) {
    await sql.raw(statement).execute(db)
  }
}
