/** The files of a folder and of the folders in it. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemFile } from '../contract/system-files.ts'
import { clientTrouble } from '../errors/client.ts'
import { longPath } from '../storage/platform.ts'

export interface FolderFile {
  /** The path below the folder, with `/` between the parts on every system. */
  name: string
  /** Where the file is opened. */
  file: string
  size: number
  /** Milliseconds since 1970. */
  changedAt: number
}

/**
 * Sorted by name. Links to files count as files; links to folders are not followed, since they may lead in a circle.
 * What an operating system put there by itself is passed over.
 */
export async function filesIn(folder: string): Promise<FolderFile[]> {
  const found: FolderFile[] = []
  const open = ['']
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    const here = longPath(join(folder, below))
    for (const entry of await readdir(here, { withFileTypes: true }).catch(() => absent(here))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) open.push(name)
      else if (!isSystemFile(name)) found.push(...(await fileAt(name, join(here, entry.name))))
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function absent(folder: string): never {
  throw clientTrouble.folderAbsent(folder)
}

/** Empty when it is not a file, or gone meanwhile. */
async function fileAt(name: string, file: string): Promise<FolderFile[]> {
  const facts = await stat(file).catch(() => null)
  return facts?.isFile() ? [{ name, file, size: facts.size, changedAt: facts.mtimeMs }] : []
}
