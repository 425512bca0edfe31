/**
 * The folder in which this process stages files, `<root>/<id>/`, and the removal of the folders of exited
 * processes. Beside each folder is the lock of its process, `<id>.lock`. If another process can take that
 * lock, the owner of the folder has exited, and the other process removes the folder with its content. While
 * a process runs and its lock exists, only that process clears its folder.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import type { NewId } from '../../base/ids.ts'
import { exists } from './exists.ts'
import { longPath } from './platform.ts'
import { type ProcessLock, tryLock } from './process-lock.ts'
import { removeTree } from './remove-tree.ts'

const LOCK_SUFFIX = '.lock'

export interface StagingFolderParts {
  /** The folder in which every process of this machine that uses the store has a folder of its own. */
  root: string
  newId: NewId
}

export async function openStagingFolder(options: StagingFolderParts) {
  const { root } = options
  await mkdir(longPath(root), { recursive: true })
  const { id, lock } = await takeLock(options)
  const path = join(root, id)
  const lockFile = longPath(path + LOCK_SUFFIX)
  await mkdir(longPath(path))

  return {
    path,

    /**
     * Removes all files of exited processes. Also removes files of this process, and files without a lock,
     * that were not written to for `minAge` milliseconds. Returns the number of files removed.
     */
    async clear(minAge: number) {
      const maxWrittenAt = Date.now() - minAge
      let removedCount = 0
      const names = await readdir(longPath(root))
      for (const name of names) {
        const entryPath = join(root, name)
        if (name === id + LOCK_SUFFIX) continue
        if (name.endsWith(LOCK_SUFFIX))
          removedCount += await removeExitedProcessFiles(entryPath.slice(0, -LOCK_SUFFIX.length))
        // `name` is this process's own folder, a folder whose lock was removed by hand, or a file of an
        // earlier version of Fundus.
        else if (name === id || !names.includes(name + LOCK_SUFFIX))
          removedCount += await removeOldFiles(entryPath, maxWrittenAt)
      }
      return removedCount
    },

    /** Removes the folder with its content, and the lock. */
    async close() {
      await removeTree(path)
      lock.release()
      await rm(lockFile, { force: true })
    },
  }
}

/**
 * Takes a lock, with a new id for each attempt: another process that is removing old files may take the new
 * lock first, or remove the lock file.
 */
async function takeLock({ root, newId }: StagingFolderParts): Promise<{ id: string; lock: ProcessLock }> {
  for (;;) {
    const id = newId()
    const file = longPath(join(root, id + LOCK_SUFFIX))
    const lock = tryLock(file)
    if (lock && (await exists(file))) return { id, lock }
    lock?.release()
  }
}

/**
 * Removes the folder and the lock of an exited process, and returns the number of files removed. Does nothing
 * if the process is still running.
 */
async function removeExitedProcessFiles(folder: string): Promise<number> {
  const lockFile = longPath(folder + LOCK_SUFFIX)
  const lock = attempt(() => tryLock(lockFile))
  // Another process holds the lock, or this cannot be determined, so the files stay.
  if (!lock) return 0
  let removedCount: number
  try {
    removedCount = await removeTree(folder)
  } finally {
    lock.release()
  }
  await rm(lockFile, { force: true })
  return removedCount
}

/**
 * Removes the file at `path`, or the files in the folder at `path`, if they were last written at
 * `maxWrittenAt` (Unix milliseconds) or earlier. Returns the number of files removed.
 */
async function removeOldFiles(path: string, maxWrittenAt: number): Promise<number> {
  // If `path` is a file, it is treated as its only entry: a path that is joined with an empty name stays the
  // same.
  const names = await readdir(longPath(path)).catch(() => [''])
  let removedCount = 0
  for (const name of names) {
    const file = longPath(join(path, name))
    const stats = await stat(file).catch(() => null)
    if (!stats?.isFile() || stats.mtimeMs > maxWrittenAt) continue
    await rm(file, { force: true })
    removedCount++
  }
  return removedCount
}
