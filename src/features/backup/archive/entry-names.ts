/**
 * Names of files in the archive: the path, if every operating system can unpack it. Some cannot unpack `x`
 * beside `x/y.png`, `a.png` beside `A.png`, Windows device names, or a final dot, which Windows drops. Such
 * names get a `~`, which no path contains.
 */

import { lowerCased, nameOf, splitPath } from '../../../contract/paths/paths.ts'
import { FILE_FOLDER, TRASH_FOLDER } from '../../../contract/upload/archive.ts'
import { isDeviceName } from '../../../storage/names.ts'

/** A hash of a path. A collision, once in some thousand libraries, only gives a file a `~` without need. */
const numberOf = (key: string) => Number(Bun.hash(key) & 0x1f_ffff_ffff_ffffn)

export function createEntryNames() {
  // Numbers instead of paths, to save memory: some 40 bytes per file.
  let seen: Set<number> | undefined = new Set()
  const shared = new Set<number>()
  const given = new Set<number>()
  const folders = new Set<number>()
  let lastFolder = ''

  function learnFolders(path: string): void {
    const { folder } = splitPath(path)
    if (folder === lastFolder) return
    lastFolder = folder
    for (let rest = folder; rest !== ''; rest = splitPath(rest).folder) folders.add(numberOf(rest))
  }

  return {
    /** Once for each file, before the first call of `nameOf`. */
    learn(path: string) {
      const key = lowerCased(path)
      const number = numberOf(key)
      if (seen?.has(number)) shared.add(number)
      seen?.add(number)
      learnFolders(key)
    },
    /** In the same order as `learn`: of paths that differ only by case, the first keeps its name. */
    nameOf(path: string, nr: number) {
      seen = undefined
      const number = numberOf(lowerCased(path))
      const taken = folders.has(number) || given.has(number)
      if (shared.has(number)) given.add(number)
      return FILE_FOLDER + portable(taken ? marked(path, nr) : path)
    },
  }
}

function marked(path: string, nr: number): string {
  const { folder, stem, extension } = splitPath(path)
  return `${folder === '' ? '' : `${folder}/`}${stem}~${nr}${extension}`
}

/** Each number has its own folder, so that no two names can collide. */
export function trashEntryName(nr: number, path: string): string {
  return `${TRASH_FOLDER}${nr}/${portable(nameOf(path))}`
}

const portable = (path: string) => path.split('/').map(portableSegment).join('/')

function portableSegment(segment: string): string {
  const named = isDeviceName(segment) ? segment.replace(/^[^.]+/, device => `${device}~`) : segment
  return named.endsWith('.') ? `${named}~` : named
}
