/**
 * Names of files in the archive: the path, if every operating system can unpack it. Some systems cannot
 * unpack `x` beside `x/y.png`, `a.png` beside `A.png`, Windows device names, or a name with a final dot. The
 * names of such files get a `~`, which no path contains.
 */

import { lowerCaseAscii, nameOf, splitPath } from '../../../contract/paths/paths.ts'
import { FILE_FOLDER, TRASH_FOLDER } from '../../../contract/upload/archive.ts'
import { isDeviceName } from '../../../storage/names.ts'

/** A hash of a path. After a collision, which is very rare, a name gets a `~` that it would not need. */
const numberOf = (key: string) => Number(Bun.hash(key) & 0x1f_ffff_ffff_ffffn)

export function createEntryNames() {
  // Hashes instead of paths, to save memory: about 40 bytes per file. All are of lower-cased paths.
  let seen: Set<number> | undefined = new Set()
  /** Paths that occur more than once, differing only by case. */
  const repeated = new Set<number>()
  /** Those paths in `repeated` of which one spelling has already got its name. */
  const assigned = new Set<number>()
  const folders = new Set<number>()
  let lastFolder = ''

  function learnFolders(path: string): void {
    const { folder } = splitPath(path)
    if (folder === lastFolder) return
    lastFolder = folder
    for (let rest = folder; rest !== ''; rest = splitPath(rest).folder) folders.add(numberOf(rest))
  }

  return {
    /** Must be called once for each file before the first call of `nameOf`. */
    learn(path: string) {
      const key = lowerCaseAscii(path)
      const number = numberOf(key)
      if (seen?.has(number)) repeated.add(number)
      seen?.add(number)
      learnFolders(key)
    },
    /**
     * Must be called in the same order as `learn`: of paths that differ only by case, the first keeps its
     * name.
     */
    nameOf(path: string, nr: number) {
      seen = undefined
      const number = numberOf(lowerCaseAscii(path))
      const taken = folders.has(number) || assigned.has(number)
      if (repeated.has(number)) assigned.add(number)
      return FILE_FOLDER + portablePath(taken ? withNumber(path, nr) : path)
    },
  }
}

function withNumber(path: string, nr: number): string {
  const { folder, stem, extension } = splitPath(path)
  return `${folder === '' ? '' : `${folder}/`}${stem}~${nr}${extension}`
}

/** Each entry of the trash has a folder that is named by its number, so that no two names can collide. */
export function trashEntryName(nr: number, path: string): string {
  return `${TRASH_FOLDER}${nr}/${portablePath(nameOf(path))}`
}

const portablePath = (path: string) => path.split('/').map(portableSegment).join('/')

function portableSegment(segment: string): string {
  const named = isDeviceName(segment) ? segment.replace(/^[^.]+/, device => `${device}~`) : segment
  return named.endsWith('.') ? `${named}~` : named
}
