/** Reads and writes the rows of share links. */
import { type Selectable, sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { ShareTable } from '../../database/schema.ts'
import { type Area, isFolderInside } from '../../http/access/library-area.ts'
import type { Redirects } from '../folders/redirects.ts'

export type ShareRow = Selectable<ShareTable>

/** The share links to folders inside the area, newest first. */
export async function listShares(db: Queries, area: Area): Promise<ShareRow[]> {
  const rows = await db.selectFrom('share').selectAll().orderBy('created_at', 'desc').orderBy('key').execute()
  return rows.filter(({ folder }) => isFolderInside(folder, area))
}

export async function findShare(db: Queries, key: string): Promise<ShareRow | null> {
  return (await db.selectFrom('share').selectAll().where('key', '=', key).executeTakeFirst()) ?? null
}

export async function insertShare(tx: Queries, share: ShareRow): Promise<void> {
  await tx.insertInto('share').values(share).execute()
}

export async function updateShareExpiry(tx: Queries, key: string, valid_until: number | null): Promise<void> {
  await tx.updateTable('share').set({ valid_until }).where('key', '=', key).execute()
}

export async function deleteShare(tx: Queries, key: string): Promise<void> {
  await tx.deleteFrom('share').where('key', '=', key).execute()
}

/** The shared folders, each once even if it has several links. */
export async function sharedFolders(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('share').select('folder').distinct().execute()
  return rows.map(({ folder }) => folder)
}

/**
 * Points shares at the new paths of their folders. One statement changes all of them, so that a→b and b→c do
 * not become a→c.
 */
export async function redirectShares(tx: Queries, redirects: Redirects): Promise<void> {
  const rows = [...redirects].map(([oldFolder, newFolder]) => sql`(${oldFolder}, ${newFolder})`)
  await sql`with redirected (shared, target) as (values ${sql.join(rows)})
    update share set folder = redirected.target from redirected where share.folder = redirected.shared`.execute(
    tx,
  )
}
