/** Lets share links follow when their folder is renamed or moved. */
import { isBelow } from '../../contract/paths/paths.ts'
import type { Queries } from '../../database/database.ts'
import { keyOf } from '../folders/folder-keys.ts'
import { countFiles } from '../folders/folders.store.ts'
import { listShares, redirectShares, sharedFoldersBelow } from './shares.store.ts'

/**
 * Called before the files of `from` become files of `to`, in the same transaction. If a folder is merged into
 * one that has files already, its links stay behind and show nothing: otherwise they would publish a list
 * that nobody has shared.
 */
export async function followFolder(tx: Queries, from: string, to: string): Promise<void> {
  // All links are read before the first is redirected, so that none is read again.
  const redirected: { shared: string; target: string }[] = []
  for (const shared of await sharedFoldersBelow(tx, from)) {
    const target = to + shared.slice(from.length)
    if ((await filesStaying(tx, target, from)) === 0) redirected.push({ shared, target })
  }
  await redirectShares(tx, redirected)
}

/** After `moved`, in its transaction. A link follows if all its files went to one other folder. */
export async function followFiles(
  tx: Queries,
  moved: readonly { file: { path: string }; to: string }[],
): Promise<void> {
  const redirected: { shared: string; target: string }[] = []
  for (const { folder: shared } of await listShares(tx)) {
    const targets = new Set<string>()
    for (const { file, to } of moved) {
      if (!isBelow(file.path, shared)) continue
      const rest = file.path.slice(shared.length)
      targets.add(to.endsWith(rest) ? to.slice(0, -rest.length) : '')
    }
    const [target] = targets
    if (targets.size !== 1 || !target || (await filesOf(tx, shared)) > 0) continue
    redirected.push({ shared, target })
  }
  await redirectShares(tx, redirected)
}

const filesOf = (tx: Queries, folder: string) => countFiles(tx, { folder: keyOf(folder), deep: true })

/** Files below `folder` that do not move away with `from`. */
async function filesStaying(tx: Queries, folder: string, from: string): Promise<number> {
  if (folder === from || isBelow(folder, from)) return 0
  return (await filesOf(tx, folder)) - (isBelow(from, folder) ? await filesOf(tx, from) : 0)
}
