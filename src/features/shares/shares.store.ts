/** Rows of share links. */
import { type Selectable, sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { ShareTable } from '../../database/schema.ts'

export type ShareRow = Selectable<ShareTable>

/** Newest first. */
export function listShares(db: Queries): Promise<ShareRow[]> {
  return db.selectFrom('share').selectAll().orderBy('created_at', 'desc').orderBy('key').execute()
}

export async function findShare(db: Queries, key: string): Promise<ShareRow | null> {
  return (await db.selectFrom('share').selectAll().where('key', '=', key).executeTakeFirst()) ?? null
}

export async function insertShare(tx: Queries, share: ShareRow): Promise<void> {
  await tx.insertInto('share').values(share).execute()
}

export async function deleteShare(tx: Queries, key: string): Promise<void> {
  await tx.deleteFrom('share').where('key', '=', key).execute()
}

/** The shared folders among `folder` and all folders below it, each once. */
export async function sharedFoldersBelow(db: Queries, folder: string): Promise<string[]> {
  const rows = await db
    .selectFrom('share')
    .select('folder')
    .distinct()
    // The upper bound ends in `0`, the character after `/`.
    .where(({ eb, and, or }) =>
      or([
        eb('folder', '=', folder),
        and([eb('folder', '>', `${folder}/`), eb('folder', '<', `${folder}0`)]),
      ]),
    )
    .execute()
  return rows.map(row => row.folder)
}

/** All in one statement, so that a→b and b→c do not become a→c. */
export async function redirectShares(
  tx: Queries,
  redirected: readonly { shared: string; target: string }[],
): Promise<void> {
  if (redirected.length === 0) return
  const rows = redirected.map(({ shared, target }) => sql`(${shared}, ${target})`)
  await sql`with redirected (shared, target) as (values ${sql.join(rows)})
    update share set folder = redirected.target from redirected where share.folder = redirected.shared`.execute(
    tx,
  )
}
