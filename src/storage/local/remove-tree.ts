/**
 * Removes whole folders, entry by entry and under long paths. The recursive removal of the runtime opens
 * files relative to their folder, a call that Wine lacks (`EFAULT`): with it neither a command nor a stop
 * could end there.
 */
import { lstat, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreAbsence } from './local-object.ts'
import { longPath } from './platform.ts'

/**
 * Removes a folder with everything in it, or a file; answers how many files went. What is absent counts as
 * removed. Of a link only the link goes.
 */
export async function removeTree(path: string): Promise<number> {
  const facts = await lstat(longPath(path)).catch(ignoreAbsence)
  if (!facts) return 0
  if (!facts.isDirectory()) {
    await rm(longPath(path), { force: true })
    return 1
  }
  let removed = 0
  for (const name of (await readdir(longPath(path)).catch(ignoreAbsence)) ?? [])
    removed += await removeTree(join(path, name))
  await rmdir(longPath(path)).catch(ignoreAbsence)
  return removed
}
