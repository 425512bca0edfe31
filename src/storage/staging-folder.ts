/**
 * The folder in which this process stages, `<root>/<id>/`, and the clearing of such folders. Beside each folder lies the
 * lock of its process, `<id>.lock`: only a process that is gone leaves a lock that others can take, and then everything it
 * had staged goes at once, but for what its journals kept: that is brought back first. A living process clears its own
 * folder only.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewId } from '../ids.ts'
import { exists } from './exists.ts'
import { JOURNAL_END } from './journal-record.ts'
import { longPath } from './platform.ts'
import { type ProcessLock, tryLock } from './process-lock.ts'
import { removeTree } from './remove-tree.ts'

const LOCK_END = '.lock'

export interface StagingFolder {
  readonly path: string
  /**
   * Removes files of this process that were not written to for `olderThan` milliseconds, and all files of processes that
   * are gone; answers how many files were removed.
   */
  clear(olderThan: number): Promise<number>
  /** The same, for files of processes that are gone only. */
  clearGone(): Promise<number>
  /** Removes the folder and everything in it. */
  close(): Promise<void>
}

export interface StagingParts {
  /** The folder in which every process that uses this store has a folder of its own. */
  root: string
  newId: NewId
  /**
   * Brings back what the journals in a folder have kept; when it rejects, the folder stays. `isGone`: no process can be
   * writing any more what they have kept.
   */
  bringBack?: (folder: string, isGone: boolean) => Promise<void>
}

export async function openStagingFolder(options: StagingParts): Promise<StagingFolder> {
  const { root, bringBack = async () => {} } = options
  await mkdir(longPath(root), { recursive: true })
  const { id, lock } = await takeLock(options)
  const path = join(root, id)
  const lockFile = longPath(path + LOCK_END)
  await mkdir(longPath(path))

  async function clearGone(): Promise<number> {
    let cleared = 0
    let trouble: unknown
    for (const name of await readdir(longPath(root))) {
      if (name === id + LOCK_END || !name.endsWith(LOCK_END)) continue
      try {
        cleared += await clearAfterProcess(join(root, name.slice(0, -LOCK_END.length)), bringBack)
      } catch (error) {
        trouble ??= error
      }
    }
    if (trouble !== undefined) throw trouble
    return cleared
  }

  return {
    path,
    clearGone,

    async clear(olderThan) {
      const limit = Date.now() - olderThan
      let cleared = await clearGone()
      const names = await readdir(longPath(root))
      for (const name of names) {
        const at = join(root, name)
        if (name === id) cleared += await clearOld(at, limit, file => !file.endsWith(JOURNAL_END))
        else if (!name.endsWith(LOCK_END) && !names.includes(name + LOCK_END)) {
          // A file that an earlier version staged, or a folder whose lock somebody removed.
          await bringBack(at, false)
          cleared += await clearOld(at, limit)
        }
      }
      return cleared
    },

    async close() {
      await removeTree(path)
      lock.release()
      await rm(lockFile, { force: true })
    },
  }
}

/** Takes a lock under a fresh id. A process that clears at this moment may take a lock that is not held yet. */
async function takeLock({ root, newId }: StagingParts): Promise<{ id: string; lock: ProcessLock }> {
  for (;;) {
    const id = newId()
    const file = longPath(join(root, id + LOCK_END))
    const lock = tryLock(file)
    if (lock && (await exists(file))) return { id, lock }
    lock?.release()
  }
}

/** Removes the folder of a process that is gone, and its lock; answers how many files were in the folder. */
async function clearAfterProcess(
  folder: string,
  bringBack: (folder: string, isGone: boolean) => Promise<void>,
): Promise<number> {
  const lockFile = longPath(folder + LOCK_END)
  const lock = tryLockOf(lockFile)
  if (!lock) return 0
  let cleared: number
  try {
    await bringBack(folder, true)
    cleared = await removeTree(folder)
  } finally {
    lock.release()
  }
  await rm(lockFile, { force: true })
  return cleared
}

/** Null also when it cannot be told whether the process lives: its files stay then. */
function tryLockOf(lockFile: string): ProcessLock | null {
  try {
    return tryLock(lockFile)
  } catch {
    return null
  }
}

/** Removes a file, or those files in a folder that `may` go, last written to before `limit`. Other things stay. */
async function clearOld(path: string, limit: number, may = (_name: string) => true): Promise<number> {
  const facts = await stat(longPath(path)).catch(() => null)
  if (!facts) return 0
  if (facts.isFile()) {
    if (facts.mtimeMs > limit) return 0
    await rm(longPath(path), { force: true })
    return 1
  }
  let cleared = 0
  for (const name of (await readdir(longPath(path)).catch(() => [])).filter(may)) {
    const file = longPath(join(path, name))
    const found = await stat(file).catch(() => null)
    if (!found?.isFile() || found.mtimeMs > limit) continue
    await rm(file, { force: true })
    cleared++
  }
  return cleared
}
