/**
 * Removes a folder recursively, entry by entry, with extended-length paths (`\\?\`) on Windows. The runtime's
 * recursive removal opens files relative to their folder, a call that Wine lacks (`EFAULT`).
 */
import { lstat, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreAbsence } from './local-object.ts'
import { longPath } from './platform.ts'

/**
 * Removes a folder with its content, or a file; returns the number of files removed. It is not an error if
 * the path does not exist. Links are not followed.
 */
export async function removeTree(path: string): Promise<number> {
  const stats = await lstat(longPath(path)).catch(ignoreAbsence)
  if (!stats) return 0
  if (!stats.isDirectory()) {
    await rm(longPath(path), { force: true })
    return 1
  }
  let removedCount = 0
  for (const name of (await readdir(longPath(path)).catch(ignoreAbsence)) ?? [])
    removedCount += await removeTree(join(path, name))
  await rmdir(longPath(path)).catch(ignoreAbsence)
  return removedCount
}
