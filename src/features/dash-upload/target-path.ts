/** Where a file that a person uploads is stored. */
import { lowerCaseAscii } from '../../contract/paths/paths.ts'
import { checkValidPath } from '../../http/path-check.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'

export type TargetPathOf = ReturnType<typeof createTargetPathOf>

/**
 * Returns a function that decides on the path. Overwriting keeps the address of the existing file, its upper
 * case included.
 */
export function createTargetPathOf({ database }: Pick<FeatureParts, 'database'>) {
  return async (sentPath: string, overwrite: boolean): Promise<string> =>
    overwrite && (await findByPath(database.read, sentPath)) ? sentPath : checkedPath(sentPath)
}

/** Checks a path and lower-cases it; nothing else is corrected. */
export function checkedPath(path: string): string {
  checkValidPath(path)
  return lowerCaseAscii(path)
}
