/**
 * Redirects share links, the folders of limited accounts and pinned folders when a folder is renamed or
 * moved.
 */
import type { Queries } from '../../../database/database.ts'
import { pinnedFolders, redirectPinnedFolders } from '../../bookmarks/bookmarks.store.ts'
import { type Redirects, redirectsOfFiles, redirectsOfFolder } from '../../folders/redirects.ts'
import { limitingFolders, redirectAccountFolders } from '../../session/accounts.store.ts'
import { redirectShares, sharedFolders } from '../../shares/shares.store.ts'
import type { Move } from './moves.ts'

/**
 * Redirects references to the folder `from` and to its subfolders. Must be called before the files are moved,
 * in the same transaction.
 */
export const redirectFolder = async (tx: Queries, from: string, to: string) =>
  applyRedirects(tx, await redirectsOfFolder(tx, await referencedFolders(tx), { from, to }))

/**
 * Redirects references to folders that these moves have emptied. Must be called after the files were moved,
 * in the same transaction.
 */
export const redirectMovedFiles = async (tx: Queries, moved: readonly Move[]) =>
  applyRedirects(tx, await redirectsOfFiles(tx, await referencedFolders(tx), moved))

const referencedFolders = async (tx: Queries) => [
  ...(await sharedFolders(tx)),
  ...(await limitingFolders(tx)),
  ...(await pinnedFolders(tx)),
]

async function applyRedirects(tx: Queries, redirects: Redirects): Promise<void> {
  if (redirects.size === 0) return
  await redirectShares(tx, redirects)
  await redirectAccountFolders(tx, redirects)
  await redirectPinnedFolders(tx, redirects)
}
