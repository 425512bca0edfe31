/**
 * Computes new paths by replacing plain text, for search-and-replace; `new-path-expression.ts` uses regular
 * expressions.
 */
import { PATH_MAX_LENGTH } from '../../../contract/paths/path-rules.ts'

export type PathReplacer = (path: string) => string

/**
 * Maximum number of characters of a new path. Longer paths are truncated, because replacing every letter
 * could otherwise make a path of forty thousand characters. A truncated path is still too long to be valid,
 * so it is refused, and the user sees the reason.
 */
const MAX_NEW_PATH_LENGTH = 2 * PATH_MAX_LENGTH
export const truncatePath = (path: string) =>
  path.length > MAX_NEW_PATH_LENGTH ? `${path.slice(0, MAX_NEW_PATH_LENGTH)}…` : path

/** Returns a function that replaces plain text in a path, case-sensitively. */
export function createTextReplacer(search: string, replacement: string): PathReplacer {
  return path => {
    let newPath = ''
    let searchFrom = 0
    // Stops as soon as the new path is too long. Otherwise the string could become very long, and the slice
    // that truncates it would keep the whole string in memory.
    while (newPath.length <= MAX_NEW_PATH_LENGTH) {
      const hitIndex = path.indexOf(search, searchFrom)
      if (hitIndex === -1) break
      newPath += path.slice(searchFrom, hitIndex) + replacement
      searchFrom = hitIndex + search.length
    }
    return truncatePath(newPath + path.slice(searchFrom))
  }
}
