/** The new names of folders after their files were moved, for everything that refers to folders by name. */
import { isBelow } from '../../contract/paths/paths.ts'
import type { Queries } from '../../database/database.ts'
import { everythingBelow } from '../../http/access/area.ts'
import { countFiles } from './folders.store.ts'

/** Maps the old name of each renamed or moved folder to its new name. */
export type Redirects = ReadonlyMap<string, string>

/**
 * Called before the files of `from` become files of `to`, in the same transaction. A folder that is merged
 * into one that has files already is not redirected: a link would publish a list that nobody has shared, and
 * a limited account would see files that nobody has given it.
 */
export async function redirectsOfFolder(
  tx: Queries,
  named: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<Redirects> {
  const redirects = new Map<string, string>()
  for (const folder of new Set(named)) {
    if (folder !== from && !isBelow(folder, from)) continue
    const target = to + folder.slice(from.length)
    if ((await filesStaying(tx, target, from)) === 0) redirects.set(folder, target)
  }
  return redirects
}

/**
 * Called after the files in `moved` have changed their paths, in the same transaction. A folder is redirected
 * only if all its files went to one other folder, in which there were no files before.
 */
export async function redirectsOfFiles(
  tx: Queries,
  named: readonly string[],
  moved: readonly { file: { path: string }; to: string }[],
): Promise<Redirects> {
  const redirects = new Map<string, string>()
  for (const folder of new Set(named)) {
    const own = moved.filter(({ file }) => isBelow(file.path, folder))
    const targets = new Set(own.map(({ file, to }) => folderAfter(file.path.slice(folder.length), to)))
    const [target] = targets
    if (targets.size !== 1 || !target || (await filesOf(tx, folder)) > 0) continue
    if ((await filesOf(tx, target)) === own.length) redirects.set(folder, target)
  }
  return redirects
}

const folderAfter = (rest: string, to: string) => (to.endsWith(rest) ? to.slice(0, -rest.length) : '')

const filesOf = (tx: Queries, folder: string) => countFiles(tx, { area: everythingBelow(folder) })

/** Number of files below `folder` that do not move away with `from`. */
async function filesStaying(tx: Queries, folder: string, from: string): Promise<number> {
  if (folder === from || isBelow(folder, from)) return 0
  return (await filesOf(tx, folder)) - (isBelow(from, folder) ? await filesOf(tx, from) : 0)
}
