/**
 * Finds the new paths of folders whose files were moved, for share links, accounts and other rows that refer
 * to folders by path.
 */
import { isBelow } from '../../contract/paths/path-parts.ts'
import type { Queries } from '../../database/database.ts'
import { everythingBelow } from '../../http/access/library-area.ts'
import { countFiles } from './folders.store.ts'

/** Maps the old path of each renamed or moved folder to its new path. */
export type Redirects = ReadonlyMap<string, string>

/**
 * Finds the redirects for those of `referencedFolders` that are `from` or below it, when the folder `from` is
 * moved to `to`. Must be called before the files are moved, in the same transaction. A folder that is merged
 * into one that already has files is not redirected: a share link would publish files that nobody has shared,
 * and a limited account would see files to which nobody has given it access.
 */
export async function redirectsOfFolder(
  tx: Queries,
  referencedFolders: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<Redirects> {
  const redirects = new Map<string, string>()
  for (const folder of new Set(referencedFolders)) {
    if (folder !== from && !isBelow(folder, from)) continue
    const newFolder = to + folder.slice(from.length)
    if ((await countFilesStaying(tx, newFolder, from)) === 0) redirects.set(folder, newFolder)
  }
  return redirects
}

/**
 * Finds the redirects for those of `referencedFolders` that the moves have emptied. Must be called after the
 * files have changed their paths, in the same transaction. A folder is redirected only if all its files moved
 * to one other folder, kept their paths inside the folder, and there were no files in the other folder
 * before.
 */
export async function redirectsOfFiles(
  tx: Queries,
  referencedFolders: readonly string[],
  moves: readonly { file: { path: string }; to: string }[],
): Promise<Redirects> {
  const redirects = new Map<string, string>()
  for (const folder of new Set(referencedFolders)) {
    const movesOfFolder = moves.filter(({ file }) => isBelow(file.path, folder))
    const newFolders = new Set(
      movesOfFolder.map(({ file, to }) => newFolderOf(file.path.slice(folder.length), to)),
    )
    const [newFolder] = newFolders
    if (newFolders.size !== 1 || !newFolder || (await countFilesBelow(tx, folder)) > 0) continue
    if ((await countFilesBelow(tx, newFolder)) === movesOfFolder.length) redirects.set(folder, newFolder)
  }
  return redirects
}

const newFolderOf = (pathInFolder: string, to: string) =>
  to.endsWith(pathInFolder) ? to.slice(0, -pathInFolder.length) : ''

const countFilesBelow = (tx: Queries, folder: string) => countFiles(tx, { area: everythingBelow(folder) })

/** Number of files below `folder` that do not move away with `from`. */
async function countFilesStaying(tx: Queries, folder: string, from: string): Promise<number> {
  if (folder === from || isBelow(folder, from)) return 0
  return (await countFilesBelow(tx, folder)) - (isBelow(from, folder) ? await countFilesBelow(tx, from) : 0)
}
