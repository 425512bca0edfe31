/**
 * Redirects share links, the folders of limited accounts and pinned folders when a folder is renamed or
 * moved.
 */
import type { Queries } from '../../../database/database.ts'
import { pinnedFolders, redirectPinnedFolders } from '../../bookmarks/bookmarks.store.ts'
import { type Redirects, redirectsOfFiles, redirectsOfFolder } from '../../folders/redirects.ts'
import { listAccountFolders, redirectAccountFolders } from '../../session/accounts.store.ts'
import { redirectShares, sharedFolders } from '../../shares/shares.store.ts'
import type { Move } from './moves.ts'

/**
 * When the folder `from` is moved to `to`: redirects the references to `from` and to its subfolders, except
 * to a folder that is merged into one that already has files. Must be called before the files are moved, in
 * the same transaction.
 */
export const redirectFolderReferences = async (tx: Queries, from: string, to: string) =>
  applyRedirects(tx, await redirectsOfFolder(tx, await referencedFolders(tx), { from, to }))

/**
 * Redirects references to a folder that these moves have emptied, if all its files went to one other folder
 * that had no files before, and kept their paths inside it. Must be called after the files were moved, in the
 * same transaction.
 */
export const redirectEmptiedFolders = async (tx: Queries, moves: readonly Move[]) =>
  applyRedirects(tx, await redirectsOfFiles(tx, await referencedFolders(tx), moves))

const referencedFolders = async (tx: Queries) => [
  ...(await sharedFolders(tx)),
  ...(await listAccountFolders(tx)),
  ...(await pinnedFolders(tx)),
]

async function applyRedirects(tx: Queries, redirects: Redirects): Promise<void> {
  if (redirects.size === 0) return
  await redirectShares(tx, redirects)
  await redirectAccountFolders(tx, redirects)
  await redirectPinnedFolders(tx, redirects)
}
