/** Cleans the names of archive entries, and recognises entries that an operating system has added. */
import { cleanPath } from '../../contract/paths/clean-path.ts'
import { isValidPath } from '../../contract/paths/path-rules.ts'

/** Maximum number of characters of a name, more than a valid path can have; longer names are cut. */
export const MAX_ENTRY_NAME = 300

/**
 * Matches path traversal, empty segments, drive letters, backslashes and control characters. Names with these
 * are refused and not cleaned, because a cleaned name would hide them.
 */
const UNCLEANABLE_NAME = /(?:^|\/)\.{0,2}(?:\/|$)|^[a-z]:|[\\\p{Cc}]/iu

/**
 * Returns a valid name that is similar to `name`. A name that cannot be cleaned is returned unchanged, so
 * that the path check refuses it.
 */
export function cleanEntryName(name: string): string {
  if (isValidPath(name) || name.length > MAX_ENTRY_NAME || UNCLEANABLE_NAME.test(name)) return name
  return cleanPath(name)
}

/** Whether the entry was added by an operating system, not by the person who made the archive. */
export function isSystemEntry(name: string): boolean {
  const segments = name.split('/')
  const fileName = segments.at(-1)!.toLowerCase()
  return segments.includes('__MACOSX') || fileName === '.ds_store' || fileName === 'thumbs.db'
}
