/** Reads and writes the pinned folders and saved filters of accounts. */
import { sql } from 'kysely'
import type { Bookmarks } from '../../contract/accounts/bookmarks.ts'
import type { Queries } from '../../database/database.ts'
import type { Redirects } from '../folders/redirects.ts'

export async function readBookmarks(db: Queries, accountId: string): Promise<Bookmarks> {
  const rowsOf = (table: 'pinned_folder' | 'saved_filter') =>
    db.selectFrom(table).where('account_id', '=', accountId).orderBy('place')
  const folders = await rowsOf('pinned_folder').select('pinned_folder.folder').execute()
  const filters = await rowsOf('saved_filter').select(['saved_filter.name', 'saved_filter.query']).execute()
  return {
    ordner: folders.map(({ folder }) => folder),
    filter: filters.map(({ name, query }) => ({ name, abfrage: query })),
  }
}

export async function replaceBookmarks(
  tx: Queries,
  accountId: string,
  { ordner, filter }: Bookmarks,
): Promise<void> {
  for (const table of ['pinned_folder', 'saved_filter'] as const)
    await tx.deleteFrom(table).where('account_id', '=', accountId).execute()
  const keyColumns = (place: number) => ({ account_id: accountId, place })
  const folders = ordner.map((folder, place) => ({ ...keyColumns(place), folder }))
  const filters = filter.map(({ name, abfrage }, place) => ({ ...keyColumns(place), name, query: abfrage }))
  if (folders.length > 0) await tx.insertInto('pinned_folder').values(folders).execute()
  if (filters.length > 0) await tx.insertInto('saved_filter').values(filters).execute()
}

/** The pinned folders of all accounts, without duplicates. */
export async function pinnedFolders(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('pinned_folder').select('folder').distinct().execute()
  return rows.map(({ folder }) => folder)
}

/** Applies all redirects in one statement: if they map a to b and b to c, a folder a becomes b and not c. */
export async function redirectPinnedFolders(tx: Queries, redirects: Redirects): Promise<void> {
  const redirectRows = [...redirects].map(([oldFolder, newFolder]) => sql`(${oldFolder}, ${newFolder})`)
  await sql`with redirected (pinned, target) as (values ${sql.join(redirectRows)})
    update pinned_folder set folder = redirected.target from redirected
    where pinned_folder.folder = redirected.pinned`.execute(tx)
}
