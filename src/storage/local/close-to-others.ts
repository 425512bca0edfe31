/**
 * Removes access for other users from files and folders to which an earlier version or another umask gave it.
 */
import type { Log } from '../../base/log.ts'
import { closeToOthers, longPath } from './platform.ts'

/** Makes the paths private. Skips those that do not exist or are private already. */
export async function closeAllToOthers(paths: readonly string[], log: Log): Promise<void> {
  const closed: string[] = []
  for (const path of paths) {
    try {
      if (await closeToOthers(longPath(path))) closed.push(path)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn('open to other users of this machine, and could not be closed', { path, reason })
    }
  }
  if (closed.length > 0)
    log.warn('was open to other users of this machine and is closed now', { paths: closed })
}
