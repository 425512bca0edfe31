/**
 * The new path by plain text, for search-and-replace; `new-path-expression.ts` computes it by an expression.
 */
import { PATH_MAX_LENGTH } from '../../../contract/paths/paths.ts'

export type Replacement = (path: string) => string

/**
 * Maximum number of characters kept of a new path, because replacing each letter can make a path of forty
 * thousand characters. Such a path is too long anyway; the kept part shows why it is refused.
 */
const KEPT_LENGTH = 2 * PATH_MAX_LENGTH
export const cutPath = (path: string) => (path.length > KEPT_LENGTH ? `${path.slice(0, KEPT_LENGTH)}…` : path)

/** Replaces plain text, case-sensitive. */
export function replaceText(search: string, by: string): Replacement {
  return path => {
    let changed = ''
    let from = 0
    // The loop ends early, because a part of a finished long string would keep all of it in memory.
    while (changed.length <= KEPT_LENGTH) {
      const at = path.indexOf(search, from)
      if (at === -1) break
      changed += path.slice(from, at) + by
      from = at + search.length
    }
    return cutPath(changed + path.slice(from))
  }
}
