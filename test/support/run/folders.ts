/**
 * Where a run keeps everything temporary: in memory if there is enough, and on a real disk. Removed at the
 * end.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Some tests fill disks of their own and copy hundreds of megabytes; with less memory than this, the real
 * disk is used.
 */
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

/** A disk in memory: only tests of a disk need a real one, and they mount their own. */
function placeInMemory(): string | undefined {
  try {
    accessSync('/dev/shm', constants.W_OK)
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= MEMORY_WANTED ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}
