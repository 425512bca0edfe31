/** Where a file that a person uploads is stored. */
import { lowerCaseAscii } from '../../contract/paths/paths.ts'
import { checkValidPath } from '../../http/path-check.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'

export type TargetPath = ReturnType<typeof createTargetPath>

/**
 * Returns a function that decides on the path. Overwriting keeps the address of the existing file, its upper
 * case included.
 */
export function createTargetPath({ database }: Pick<FeatureParts, 'database'>) {
  return async (sent: string, overwrite: boolean): Promise<string> =>
    overwrite && (await findByPath(database.read, sent)) ? sent : checkedPath(sent)
}

/** Checks a path and lower-cases it; nothing else is corrected. */
export function checkedPath(sent: string): string {
  checkValidPath(sent)
  return lowerCaseAscii(sent)
}
