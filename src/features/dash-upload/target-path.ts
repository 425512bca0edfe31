/** Decides at which path an uploaded file is stored. */
import { lowerCasePath } from '../../http/path-check.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'

export type TargetPathOf = ReturnType<typeof createTargetPathOf>

/**
 * Returns a function that decides on the path of a file. A file that is overwritten keeps its path, including
 * upper case; any other path is checked and lower-cased.
 */
export function createTargetPathOf({ database }: Pick<FeatureParts, 'database'>) {
  return async (sentPath: string, overwrite: boolean): Promise<string> =>
    overwrite && (await findByPath(database.read, sentPath)) ? sentPath : lowerCasePath(sentPath)
}
