/** Lists the files of a folder and its subfolders. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { isSystemFile } from '../../contract/paths/system-files.ts'
import { clientTrouble } from '../../errors/client.ts'
import { longPath } from '../../storage/local/platform.ts'

export interface FolderFile {
  /** The path below the folder, with `/` on every system. */
  name: string
  file: string
  size: number
  changedAt: number
}

/**
 * A link that was not followed. `inside`, `outside`: it leads to something in the folder, or elsewhere.
 * `nowhere`: its target does not exist. `circle`: it leads to a folder that contains the link.
 */
export interface FolderLink {
  name: string
  leads: 'inside' | 'outside' | 'nowhere' | 'circle'
}

/** `chain`: the real paths of the folders through which this one was found. */
interface OpenFolder {
  below: string
  chain: readonly string[]
}

/**
 * The files, and the links that were not followed, both sorted by name. Links are followed only with
 * `followLinks`, and never to a target outside of the folder, which would be published. Files that an
 * operating system creates by itself are skipped.
 */
export async function filesIn(folder: string, { followLinks }: { followLinks: boolean }) {
  const root = await realpath(longPath(folder)).catch(() => throwAbsent(folder))
  const files: FolderFile[] = []
  const links: FolderLink[] = []
  const open: OpenFolder[] = [{ below: '', chain: [root] }]

  async function link(name: string, path: string, chain: readonly string[]): Promise<void> {
    const target = await realpath(path).catch(() => null)
    const leads = leadOf(target, root, chain)
    if (target === null || leads !== 'inside' || !followLinks) links.push({ name, leads })
    else if ((await stat(target)).isDirectory()) open.push({ below: name, chain: [...chain, target] })
    else files.push(...(await fileAt(name, target)))
  }

  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { below, chain } = next
    const here = longPath(join(folder, below))
    for (const entry of await readdir(here, { withFileTypes: true }).catch(() => throwAbsent(here))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      const path = join(here, entry.name)
      if (entry.isSymbolicLink()) await link(name, path, chain)
      else if (entry.isDirectory()) open.push({ below: name, chain: [...chain, await realpath(path)] })
      else if (!isSystemFile(name)) files.push(...(await fileAt(name, path)))
    }
  }
  return { files: files.sort(byName), links: links.sort(byName) }
}

function leadOf(target: string | null, root: string, chain: readonly string[]): FolderLink['leads'] {
  if (target === null) return 'nowhere'
  if (target !== root && !target.startsWith(root + sep)) return 'outside'
  return chain.includes(target) ? 'circle' : 'inside'
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

function throwAbsent(folder: string): never {
  throw clientTrouble.folderAbsent(folder)
}

/** The file; empty if the path is not a file or was removed meanwhile. */
async function fileAt(name: string, file: string): Promise<FolderFile[]> {
  const facts = await stat(file).catch(() => null)
  return facts?.isFile() ? [{ name, file, size: facts.size, changedAt: facts.mtimeMs }] : []
}
