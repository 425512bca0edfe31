/** Differences between Windows and POSIX in file handling, and the permissions of files and folders. */

import { closeSync, fsync, openSync } from 'node:fs'
import { chmod, open, readFile, rename, stat } from 'node:fs/promises'
import { win32 } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../../base/system/error-code.ts'

const IS_WINDOWS = process.platform === 'win32'

/** Whether a file can be renamed or removed while open. */
export const CAN_MOVE_OPEN_FILES = !IS_WINDOWS

const SHARE_PATH_PATTERN = /^[\\/]{2}[^\\/?.]/

/**
 * On Windows, the form of a path that may exceed 260 characters; elsewhere the path itself. A path on a share
 * is not changed and so keeps the limit: with `\\?\UNC\` the runtime (Bun 1.4.4) looks for the share below
 * its own folder when it lists or writes.
 */
export const longPath = (path: string, isWindows = IS_WINDOWS): string =>
  !isWindows || SHARE_PATH_PATTERN.test(path) ? path : win32.toNamespacedPath(path)

const flush = promisify(fsync)

/**
 * Flushes a folder, so that the names of new files survive a power cut. Does nothing on Windows, which has no
 * such call; NTFS journals names.
 */
export async function flushFolder(folder: string): Promise<void> {
  if (IS_WINDOWS) return
  // Opening is synchronous: for a folder that was just used this takes less time than handing the call to a
  // thread.
  const descriptor = openSync(folder, 'r')
  try {
    await flush(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export async function flushFile(file: string): Promise<void> {
  await using handle = await open(file, 'r+')
  await handle.sync()
}

/** The permission bits of group and others. */
const GROUP_AND_OTHERS_MASK = 0o077
/** The sticky bit of a folder that all users share, such as `/tmp`. */
const STICKY_BIT = 0o1000

/**
 * Sets the umask of this process, which its children inherit, so that new files get at most mode 0600 and new
 * folders 0700. On Windows new files inherit the permissions of their folder.
 */
export function setPrivateUmask(): void {
  if (!IS_WINDOWS) process.umask(GROUP_AND_OTHERS_MASK)
}

/**
 * Removes the permissions of group and others. Resolves with false if there were none, if the path does not
 * exist, and on Windows; rejects on failure.
 */
export async function makePrivate(path: string): Promise<boolean> {
  if (IS_WINDOWS) return false
  const readMode = async () => (await stat(path)).mode
  try {
    const mode = await readMode()
    if ((mode & GROUP_AND_OTHERS_MASK) === 0) return false
    if ((mode & STICKY_BIT) !== 0) throw new Error('the folder belongs to all users of this machine')
    await chmod(path, mode & 0o7777 & ~GROUP_AND_OTHERS_MASK)
    // Some network drives report success but do not change the mode.
    if (((await readMode()) & GROUP_AND_OTHERS_MASK) !== 0) throw new Error('the file system keeps no rights')
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

const SCANNER_ERROR_CODES = new Set(['EPERM', 'EACCES', 'EBUSY'])
/** Milliseconds to wait after each refused attempt to rename, before the next one. */
const RENAME_PAUSES = [5, 10, 20, 50, 100, 200, 400, 800]

export interface RenameParts {
  rename: (from: string, to: string) => Promise<void>
  sleep: (milliseconds: number) => Promise<unknown>
  mayRetry: boolean
}

/**
 * On Windows a virus scanner or indexer may hold a new file for a moment, so a refused rename is retried for
 * about 1.6 s; on other systems the same error codes are final.
 */
export async function renameWithRetry(
  from: string,
  to: string,
  parts: RenameParts = { rename, sleep: Bun.sleep, mayRetry: IS_WINDOWS },
): Promise<void> {
  for (const pause of parts.mayRetry ? RENAME_PAUSES : []) {
    try {
      return await parts.rename(from, to)
    } catch (error) {
      if (!SCANNER_ERROR_CODES.has(errorCode(error))) throw error
      await parts.sleep(pause)
    }
  }
  await parts.rename(from, to)
}

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id'

/** An id that changes with each boot of the machine; null if the system has none. */
export const bootId = (): Promise<string | null> =>
  readFile(BOOT_ID_FILE, 'utf8').then(
    id => id.trim(),
    () => null,
  )
