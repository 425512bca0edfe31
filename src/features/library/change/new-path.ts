/** The new path by plain text, for search-and-replace; `new-path-expression.ts` does it by an expression. */
import { PATH_MAX_LENGTH } from '../../../contract/paths/paths.ts'

export type Replacement = (path: string) => string

/**
 * Maximum number of characters kept of a new path: replacing each letter can make forty thousand of one path.
 * It is too long anyway; what is kept shows why it is refused.
 */
const KEPT_LENGTH = 2 * PATH_MAX_LENGTH
export const cutPath = (path: string) => (path.length > KEPT_LENGTH ? `${path.slice(0, KEPT_LENGTH)}…` : path)

/** Replaces plain text, case-sensitive. */
export function replaceText(search: string, by: string): Replacement {
  return path => {
    let changed = ''
    let from = 0
    // Ends early: cutting a finished long string would keep all of it in memory.
    while (changed.length <= KEPT_LENGTH) {
      const at = path.indexOf(search, from)
      if (at === -1) break
      changed += path.slice(from, at) + by
      from = at + search.length
    }
    return cutPath(changed + path.slice(from))
  }
}
