/**
 * Names of archive entries: how they are cleaned, and by which names entries of an operating system are
 * known.
 */
import { cleanPath } from '../../contract/paths/clean-path.ts'
import { isValidPath } from '../../contract/paths/paths.ts'

/** Maximum number of characters of a name, more than a valid path can have; longer names are cut. */
export const MAX_ENTRY_NAME = 300

/**
 * Matches path traversal, empty segments, drive letters, backslashes and control characters. Such names are
 * refused, because cleaning would hide them.
 */
const UNREPAIRABLE = /(?:^|\/)\.{0,2}(?:\/|$)|^[a-z]:|[\\\p{Cc}]/iu

/**
 * Returns a valid name that is similar. A name that cannot be repaired is returned unchanged, so that the
 * path check refuses it.
 */
export function repairedName(name: string): string {
  if (isValidPath(name) || name.length > MAX_ENTRY_NAME || UNREPAIRABLE.test(name)) return name
  return cleanPath(name)
}

/** Whether an operating system has added the entry by itself. */
export function isSystemEntry(name: string): boolean {
  const segments = name.split('/')
  const fileName = segments.at(-1)!.toLowerCase()
  return segments.includes('__MACOSX') || fileName === '.ds_store' || fileName === 'thumbs.db'
}
