/** Where a run keeps everything temporary: in memory where there is room, and on a real disk. Removed at the end. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Some tests fill disks of their own and copy hundreds of megabytes; below this the real disk is the better place. */
const MEMORY_WANTED = 4 * 2 ** 30

export function openRunFolders(): { folder: string; disk: string } {
  const disk = newFolder(tmpdir())
  return { disk, folder: newFolder(placeInMemory() ?? disk) }
}

function newFolder(place: string): string {
  const path = mkdtempSync(join(place, 'fundus-tests-'))
  // PostgreSQL runs under another account and must reach its own folder below this one.
  chmodSync(path, 0o711)
  process.on('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A disk in memory: nothing but the tests of a disk itself needs a real one, and those mount their own. */
function placeInMemory(): string | undefined {
  try {
    accessSync('/dev/shm', constants.W_OK)
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= MEMORY_WANTED ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}
