import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ignoreAbsence } from './local-object.ts'
import { longPath } from './platform.ts'

/** Whether the path exists. Rejects if this cannot be determined. */
export const exists = async (path: string) => (await stat(longPath(path)).catch(ignoreAbsence)) !== null

/** The absolute path of the folder itself if it exists, otherwise of its nearest existing parent. */
export async function nearestExisting(folder: string): Promise<string> {
  const absolutePath = resolve(folder)
  return (await exists(absolutePath)) || dirname(absolutePath) === absolutePath
    ? absolutePath
    : nearestExisting(dirname(absolutePath))
}
