/** Names of archive entries: how they are repaired, and which entries nobody means to upload. */
import { cleanPath } from '../../contract/paths/clean-path.ts'
import { isValidPath } from '../../contract/paths/paths.ts'

/**
 * Characters of a name that are kept: far above any valid path. A longer name would only take room in memory
 * and in the answer.
 */
export const NAME_SHOWN = 300

/**
 * Names that lead elsewhere, and names that only a machine would make: repaired, they would hide what was
 * meant.
 */
const UNREPAIRABLE = /(?:^|\/)\.{0,2}(?:\/|$)|^[a-z]:|[\\\p{Cc}]/iu

/**
 * A similar name that may be stored. A name that cannot be repaired stays as it is, so that the path check
 * refuses it.
 */
export function repairedName(name: string): string {
  if (isValidPath(name) || name.length > NAME_SHOWN || UNREPAIRABLE.test(name)) return name
  return cleanPath(name)
}

/**
 * Whether an operating system put the entry into the archive by itself, so that nobody means to upload it.
 */
export function isSystemEntry(name: string): boolean {
  const segments = name.split('/')
  const file = segments.at(-1)!.toLowerCase()
  return segments.includes('__MACOSX') || file === '.ds_store' || file === 'thumbs.db'
}
