/** Lists the files of a folder and its subfolders. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { isSystemFile } from '../../contract/paths/system-files.ts'
import { clientErrors } from '../../errors/client.ts'
import { longPath } from '../../storage/local/platform.ts'

export interface FolderFile {
  /** The path below the folder, with `/` on every system. */
  name: string
  file: string
  size: number
  changedAt: number
}

/**
 * A symbolic link that was not followed. `inside`: its target is in the listed folder. `outside`: its target
 * is elsewhere. `nowhere`: its target does not exist. `circle`: its target is a folder that contains the
 * link.
 */
export interface FolderLink {
  name: string
  destination: 'inside' | 'outside' | 'nowhere' | 'circle'
}

/**
 * A folder that is still to be listed. `ancestors`: the real paths of this folder and of all folders on the
 * way to it.
 */
interface PendingFolder {
  relativePath: string
  ancestors: readonly string[]
}

/**
 * Returns the files, and the symbolic links that were not followed, both sorted by name. Links are followed
 * only with `followLinks`. A link to a target outside the folder is never followed, because that would
 * publish other files. A link to a folder that contains the link is never followed either. Files that an
 * operating system creates by itself, such as `.DS_Store`, are skipped.
 */
export async function listFolder(folder: string, { followLinks }: { followLinks: boolean }) {
  const root = await realpath(longPath(folder)).catch(() => throwFolderAbsent(folder))
  const files: FolderFile[] = []
  const links: FolderLink[] = []
  const pendingFolders: PendingFolder[] = [{ relativePath: '', ancestors: [root] }]

  async function addLink(name: string, path: string, ancestors: readonly string[]): Promise<void> {
    const target = await realpath(path).catch(() => null)
    const destination = destinationOf(target, root, ancestors)
    if (target === null || destination !== 'inside' || !followLinks) links.push({ name, destination })
    else if ((await stat(target)).isDirectory())
      pendingFolders.push({ relativePath: name, ancestors: [...ancestors, target] })
    else files.push(...(await fileAt(name, target)))
  }

  for (
    let pendingFolder = pendingFolders.pop();
    pendingFolder !== undefined;
    pendingFolder = pendingFolders.pop()
  ) {
    const { relativePath, ancestors } = pendingFolder
    const folderPath = longPath(join(folder, relativePath))
    for (const entry of await readdir(folderPath, { withFileTypes: true }).catch(() =>
      throwFolderAbsent(folderPath),
    )) {
      const name = relativePath === '' ? entry.name : `${relativePath}/${entry.name}`
      const path = join(folderPath, entry.name)
      if (entry.isSymbolicLink()) await addLink(name, path, ancestors)
      else if (entry.isDirectory())
        pendingFolders.push({ relativePath: name, ancestors: [...ancestors, await realpath(path)] })
      else if (!isSystemFile(name)) files.push(...(await fileAt(name, path)))
    }
  }
  return { files: files.sort(byName), links: links.sort(byName) }
}

function destinationOf(
  target: string | null,
  root: string,
  ancestors: readonly string[],
): FolderLink['destination'] {
  if (target === null) return 'nowhere'
  if (target !== root && !target.startsWith(root + sep)) return 'outside'
  return ancestors.includes(target) ? 'circle' : 'inside'
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

function throwFolderAbsent(folder: string): never {
  throw clientErrors.folderAbsent(folder)
}

/**
 * Returns a list with this file; an empty list if the path is not a file, or the file was removed meanwhile.
 */
async function fileAt(name: string, file: string): Promise<FolderFile[]> {
  const stats = await stat(file).catch(() => null)
  return stats?.isFile() ? [{ name, file, size: stats.size, changedAt: stats.mtimeMs }] : []
}
