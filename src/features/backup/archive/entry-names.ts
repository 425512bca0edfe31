/**
 * Chooses the names of files in an archive. The name is the path if every operating system can unpack it.
 * Some systems cannot unpack `x` beside `x/y.png`, `a.png` beside `A.png`, Windows device names, or a name
 * with a final dot. Such a name gets a `~`, which no path contains; of two names that conflict, only one gets
 * it.
 */

import { lowerCaseAscii } from '../../../contract/paths/lower-case.ts'
import { nameOf, pathBelow, splitPath } from '../../../contract/paths/path-parts.ts'
import { ARCHIVE_FILE_FOLDER, ARCHIVE_TRASH_FOLDER } from '../../../contract/service/backup-archive.ts'
import { isDeviceName } from '../../../storage/names.ts'

/**
 * The hash of a path. If two hashes collide, which is very rare, a name gets a `~` that it would not need.
 */
const hashOf = (lowerCasedPath: string) => Number(Bun.hash(lowerCasedPath) & 0x1f_ffff_ffff_ffffn)

export function createEntryNames() {
  // These sets contain hashes of lower-cased paths instead of the paths themselves, to save memory: an entry
  // takes about 40 bytes.
  let seenHashes: Set<number> | undefined = new Set()
  /** Hashes of the paths that occur in several spellings, which differ only by case. */
  const repeatedHashes = new Set<number>()
  /** The hashes in `repeatedHashes` for which `nameOf` has already been called. */
  const assignedHashes = new Set<number>()
  const folderHashes = new Set<number>()
  let lastFolder = ''

  function addFolders(path: string): void {
    const { folder } = splitPath(path)
    if (folder === lastFolder) return
    lastFolder = folder
    for (let ancestor = folder; ancestor !== ''; ancestor = splitPath(ancestor).folder)
      folderHashes.add(hashOf(ancestor))
  }

  return {
    /** Registers a path. Must be called once for each file before the first call of `nameOf`. */
    addPath(path: string) {
      const key = lowerCaseAscii(path)
      const hash = hashOf(key)
      if (seenHashes?.has(hash)) repeatedHashes.add(hash)
      seenHashes?.add(hash)
      addFolders(key)
    },
    /**
     * Returns the name of the entry for a path. Of paths that differ only by case, the first one for which
     * this is called keeps its name. The others, and a path that is also a folder, get a `~` and `nr`, the
     * number of the file.
     */
    nameOf(path: string, nr: number) {
      seenHashes = undefined
      const hash = hashOf(lowerCaseAscii(path))
      const isTaken = folderHashes.has(hash) || assignedHashes.has(hash)
      if (repeatedHashes.has(hash)) assignedHashes.add(hash)
      return ARCHIVE_FILE_FOLDER + portablePath(isTaken ? numberedPath(path, nr) : path)
    },
  }
}

function numberedPath(path: string, nr: number): string {
  const { folder, stem, extension } = splitPath(path)
  return pathBelow(folder, `${stem}~${nr}${extension}`)
}

/** Each entry of the trash has a folder of its own, named by its number, so that no two names can collide. */
export function trashEntryName(nr: number, path: string): string {
  return `${ARCHIVE_TRASH_FOLDER}${nr}/${portablePath(nameOf(path))}`
}

const portablePath = (path: string) => path.split('/').map(portableSegment).join('/')

function portableSegment(segment: string): string {
  const safeSegment = isDeviceName(segment) ? segment.replace(/^[^.]+/, device => `${device}~`) : segment
  return safeSegment.endsWith('.') ? `${safeSegment}~` : safeSegment
}
