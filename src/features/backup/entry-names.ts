/**
 * Under which name a file lies in the archive: its path, wherever every system can unpack that. `x` and `x/y.png` may
 * both be files, and `a.png` beside `A.png`; Windows knows devices, and drops a dot at the end. What loses gets a `~`,
 * which no path holds, so that no other file can have its name.
 */
import { FILE_FOLDER, TRASH_FOLDER } from '../../contract/archive.ts'
import { lowerCased, nameOf, splitPath } from '../../contract/paths.ts'
import { isDeviceName } from '../../storage/names.ts'

export interface EntryNames {
  /** Once for each file, before the first is named. */
  learn(path: string): void
  /** In the same order as they were learnt: the first of those that differ by case keeps its name. */
  nameOf(path: string, nr: number): string
}

/** Two keys may share a number once in some thousand libraries; then a file gets a `~` without need. */
const numberOf = (key: string) => Number(Bun.hash(key) & 0x1f_ffff_ffff_ffffn)

export function createEntryNames(): EntryNames {
  // Numbers in place of paths: some 40 bytes for each file.
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
    learn(path) {
      const key = lowerCased(path)
      const number = numberOf(key)
      if (seen?.has(number)) shared.add(number)
      seen?.add(number)
      learnFolders(key)
    },
    nameOf(path, nr) {
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

/** Its own folder for each number, so that nothing there can collide. */
export function trashEntryName(nr: number, path: string): string {
  return `${TRASH_FOLDER}${nr}/${portable(nameOf(path))}`
}

const portable = (path: string) => path.split('/').map(portableSegment).join('/')

function portableSegment(segment: string): string {
  const named = isDeviceName(segment) ? segment.replace(/^[^.]+/, device => `${device}~`) : segment
  return named.endsWith('.') ? `${named}~` : named
}
