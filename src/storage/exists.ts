/** Whether something lies at a path. */
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode, longPath } from './platform.ts'

/** Rejects where that cannot be found out. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(longPath(path))
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}

/** The folder itself, or the nearest above it that is there: the rest will be made in it. */
export async function nearestExisting(folder: string): Promise<string> {
  const at = resolve(folder)
  return (await exists(at)) || dirname(at) === at ? at : nearestExisting(dirname(at))
}
