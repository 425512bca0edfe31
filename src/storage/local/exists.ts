import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { longPath } from './platform.ts'

/** Rejects if this cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(longPath(path))
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}

/** The folder itself, or its nearest existing parent. */
export async function nearestExisting(folder: string): Promise<string> {
  const at = resolve(folder)
  return (await exists(at)) || dirname(at) === at ? at : nearestExisting(dirname(at))
}
