/** Rows of share links. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { ShareTable } from '../../database/schema.ts'

export type ShareRow = Selectable<ShareTable>

/** The newest first. */
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
