/**
 * Redirects share links, the folders of limited accounts and pinned folders when a folder is renamed or
 * moved.
 */
import type { Queries } from '../../../database/database.ts'
import { pinnedFolders, redirectPinned } from '../../bookmarks/bookmarks.store.ts'
import { type Redirects, redirectsOfFiles, redirectsOfFolder } from '../../folders/redirects.ts'
import { limitingFolders, redirectAccounts } from '../../session/accounts.store.ts'
import { redirectShares, sharedFolders } from '../../shares/shares.store.ts'
import type { Move } from './moves.ts'

/** Must be called before the files of the folder are moved, in the same transaction. */
export const followFolder = async (tx: Queries, from: string, to: string) =>
  follow(tx, await redirectsOfFolder(tx, await namedFolders(tx), { from, to }))

/** Must be called after the files were moved, in the same transaction. */
export const followFiles = async (tx: Queries, moved: readonly Move[]) =>
  follow(tx, await redirectsOfFiles(tx, await namedFolders(tx), moved))

const namedFolders = async (tx: Queries) => [
  ...(await sharedFolders(tx)),
  ...(await limitingFolders(tx)),
  ...(await pinnedFolders(tx)),
]

async function follow(tx: Queries, redirects: Redirects): Promise<void> {
  if (redirects.size === 0) return
  await redirectShares(tx, redirects)
  await redirectAccounts(tx, redirects)
  await redirectPinned(tx, redirects)
}
