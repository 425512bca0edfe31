/**
 * Removes the access of other users to files and folders. An earlier version of Fundus or another umask may
 * have granted it.
 */
import type { Log } from '../../base/log.ts'
import { longPath, makePrivate } from './platform.ts'

/**
 * Makes the paths private, and logs those that were not private or could not be made private. Skips paths
 * that do not exist or are private already.
 */
export async function makeAllPrivate(paths: readonly string[], log: Log): Promise<void> {
  const changedPaths: string[] = []
  for (const path of paths) {
    try {
      if (await makePrivate(longPath(path))) changedPaths.push(path)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn('open to other users of this machine, and could not be closed', { path, reason })
    }
  }
  if (changedPaths.length > 0)
    log.warn('was open to other users of this machine and is closed now', { paths: changedPaths })
}
