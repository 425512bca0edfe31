/**
 * The folder in which this process stages, `<root>/<id>/`, and the removal of those of exited processes.
 * Beside each is the lock of its process, `<id>.lock`: if another process can take it, its owner has exited,
 * and everything staged there is removed, after files in its journals were recovered; whoever opens the
 * folder meanwhile waits for that. A living process clears only its own folder.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewId } from '../../base/ids.ts'
import { JOURNAL_END } from '../disk/journal-record.ts'
import { exists } from './exists.ts'
import { flushFailuresIn } from './flush-failures.ts'
import { longPath } from './platform.ts'
import { type ProcessLock, tryLock } from './process-lock.ts'
import { removeTree } from './remove-tree.ts'

const LOCK_END = '.lock'
/** The lock of the process that recovers files. It is never deleted, because others may wait for it. */
const RECOVERY_LOCK = 'bringing-back.lock'
/** The file of `flush-failures.ts`. */
const FLUSH_FAILURES = 'flush-failures'
/** Milliseconds to wait for another process that recovers files, and between two attempts. */
const PATIENCE = 10 * 60_000
const PAUSE = 20

export type StagingFolder = Awaited<ReturnType<typeof openStagingFolder>>

export interface StagingParts {
  /** The folder in which every process that uses this store has its own. */
  root: string
  newId: NewId
  /**
   * Recovers what the journals in a folder hold; if it rejects, the folder stays. `isGone`: no process can
   * still be writing their files.
   */
  recoverFiles?: (folder: string, isGone: boolean) => Promise<void>
}

export async function openStagingFolder(options: StagingParts) {
  const { root, recoverFiles = async () => {} } = options
  await mkdir(longPath(root), { recursive: true })
  const { id, lock } = await takeLock(options)
  const path = join(root, id)
  const lockFile = longPath(path + LOCK_END)
  await mkdir(longPath(path))

  /** Names that are not this process's own. */
  const others = async () =>
    (await readdir(longPath(root))).filter(name => ![id, id + LOCK_END, RECOVERY_LOCK].includes(name))

  /** Like `clear`, for exited processes only. When it resolves, nothing is left to be recovered. */
  async function clearGone(): Promise<number> {
    if ((await others()).length === 0) return 0
    return alone(root, async () => {
      let cleared = 0
      let trouble: unknown
      const names = await others()
      for (const name of names) {
        const at = join(root, name)
        try {
          if (name.endsWith(LOCK_END))
            cleared += await clearAfterProcess(at.slice(0, -LOCK_END.length), recoverFiles)
          else if (!names.includes(name + LOCK_END)) await recoverFiles(at, false)
        } catch (error) {
          trouble ??= error
        }
      }
      if (trouble !== undefined) throw trouble
      return cleared
    })
  }

  return {
    path,
    failures: flushFailuresIn(longPath(join(root, FLUSH_FAILURES))),
    /** Whether another process uses this folder, or has left something in it. */
    hasOthers: async () => (await others()).length > 0,
    clearGone,

    /**
     * Removes files of this process that were not written to for `olderThan` milliseconds, and all files of
     * exited processes; returns how many.
     */
    async clear(olderThan: number) {
      const limit = Date.now() - olderThan
      let cleared = await clearGone()
      cleared += await clearOld(path, limit, file => !file.endsWith(JOURNAL_END))
      const names = await others()
      for (const name of names) {
        // A file that an earlier version staged, or a folder whose lock somebody removed.
        if (!name.endsWith(LOCK_END) && !names.includes(name + LOCK_END))
          cleared += await clearOld(join(root, name), limit)
      }
      return cleared
    },

    /** Removes the folder and its content. */
    async close() {
      await removeTree(path)
      lock.release()
      await rm(lockFile, { force: true })
    },
  }
}

/** Runs `work` while no other process does the same. If locks do not work here, it runs all the same. */
async function alone<T>(root: string, work: () => Promise<T>): Promise<T> {
  const file = longPath(join(root, RECOVERY_LOCK))
  const deadline = Date.now() + PATIENCE
  let lock = tryLockOf(file)
  for (; lock === null; lock = tryLockOf(file)) {
    if (Date.now() > deadline) throw new Error('another process does not finish bringing back files')
    await Bun.sleep(PAUSE)
  }
  try {
    return await work()
  } finally {
    lock?.release()
  }
}

/** Under a fresh id each time: a process that clears may take a lock that is not held yet. */
async function takeLock({ root, newId }: StagingParts): Promise<{ id: string; lock: ProcessLock }> {
  for (;;) {
    const id = newId()
    const file = longPath(join(root, id + LOCK_END))
    const lock = tryLock(file)
    if (lock && (await exists(file))) return { id, lock }
    lock?.release()
  }
}

/** Removes the folder and lock of an exited process; returns how many files were in the folder. */
async function clearAfterProcess(
  folder: string,
  recoverFiles: (folder: string, isGone: boolean) => Promise<void>,
): Promise<number> {
  const lockFile = longPath(folder + LOCK_END)
  const lock = tryLockOf(lockFile)
  // If it is unknown whether the process lives, its files stay.
  if (!lock) return 0
  let cleared: number
  try {
    await recoverFiles(folder, true)
    cleared = await removeTree(folder)
  } finally {
    lock.release()
  }
  await rm(lockFile, { force: true })
  return cleared
}

/** Null if another process holds the lock; undefined if that cannot be determined. */
function tryLockOf(lockFile: string): ProcessLock | null | undefined {
  try {
    return tryLock(lockFile)
  } catch {
    return undefined
  }
}

/** Removes a file, or files in a folder that `may` go, last written before `limit`. */
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
