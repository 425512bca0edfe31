/**
 * Compares the running totals that triggers maintain with the rows that they count. Each comparison is a
 * single statement, so it sees one consistent state of the database even while the service writes.
 */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'

export type WrongTotals = Awaited<ReturnType<typeof findWrongTotals>>

/**
 * Returns the folders and tokens whose totals are wrong, at most `limit` of each, and whether the totals of
 * the trash and of files that were never downloaded are wrong.
 */
export async function findWrongTotals(db: Queries, limit: number) {
  return {
    folders: await findWrongFolders(db, limit),
    tokens: await findWrongTokens(db, limit),
    trash: await isTrashTotalWrong(db),
    unretrieved: await isUnretrievedTotalWrong(db),
  }
}

async function findWrongFolders(db: Queries, limit: number): Promise<string[]> {
  const { rows } = await sql<{ folder: string }>`
    select counted.folder as folder from
      (select folder, kind, count(*) as files, sum(size) as bytes from media group by folder, kind) counted
      left join folder_usage kept on kept.folder = counted.folder and kept.kind = counted.kind
      where kept.folder is null or kept.files <> counted.files or kept.bytes <> counted.bytes
    union select kept.folder from folder_usage kept
      where not exists (select 1 from media where media.folder = kept.folder and media.kind = kept.kind)
    limit ${limit}`.execute(db)
  return rows.map(({ folder }) => folder)
}

/** A token without files may have a row with zeros in `token_usage`, or no row there. */
async function findWrongTokens(db: Queries, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select counted.token_id as id from
      (select token_id, count(*) as files, sum(size) as bytes from media where token_id is not null group by token_id)
        counted
      left join token_usage kept on kept.token_id = counted.token_id
      where kept.token_id is null or kept.files <> counted.files or kept.bytes <> counted.bytes
    union select kept.token_id from token_usage kept
      where (kept.files <> 0 or kept.bytes <> 0)
      and not exists (select 1 from media where media.token_id = kept.token_id)
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

async function isTrashTotalWrong(db: Queries): Promise<boolean> {
  const { rows } = await sql<{ wrong: number }>`
    select 1 as wrong from trash_total kept,
      (select count(*) as files, coalesce(sum(size), 0) as bytes from trash) counted
      where kept.files <> counted.files or kept.bytes <> counted.bytes`.execute(db)
  return rows.length > 0
}

async function isUnretrievedTotalWrong(db: Queries): Promise<boolean> {
  const { rows } = await sql<{ wrong: number }>`
    select 1 as wrong from unretrieved_total kept, (select count(*) as files from media where retrievals < 1) counted
      where kept.files <> counted.files`.execute(db)
  return rows.length > 0
}

/** Counts all totals again. Must run in one transaction, so that no reader sees half of the result. */
export async function recountTotals(tx: Queries): Promise<void> {
  await tx.deleteFrom('folder_usage').execute()
  await sql`insert into folder_usage (folder, kind, files, bytes)
    select folder, kind, count(*), sum(size) from media group by folder, kind`.execute(tx)
  await tx.deleteFrom('token_usage').execute()
  await sql`insert into token_usage (token_id, files, bytes)
    select token_id, count(*), sum(size) from media where token_id is not null group by token_id`.execute(tx)
  await sql`update trash_total set files = (select count(*) from trash),
    bytes = (select coalesce(sum(size), 0) from trash)`.execute(tx)
  await sql`update unretrieved_total set files = (select count(*) from media where retrievals < 1)`.execute(
    tx,
  )
}
