/**
 * Computes the new path that search-and-replace makes of one path; `new-path-expression.ts` does it by an
 * expression.
 */
import { PATH_MAX_LENGTH } from '../../../contract/paths/paths.ts'

export type Replacement = (path: string) => string

/**
 * Characters that are kept of a new path. A replacement for each letter can make forty thousand characters of
 * one path. Such a path is too long anyway; the part that is kept is enough to show why it is refused.
 */
const KEPT_LENGTH = 2 * PATH_MAX_LENGTH
export const cut = (path: string) => (path.length > KEPT_LENGTH ? `${path.slice(0, KEPT_LENGTH)}…` : path)

/** Replaces all matches of a plain text; case counts. */
export function replaceText(search: string, by: string): Replacement {
  return path => {
    let changed = ''
    let from = 0
    // The loop ends early. Cutting a finished long text instead would keep the part that is cut off in
    // memory.
    while (changed.length <= KEPT_LENGTH) {
      const at = path.indexOf(search, from)
      if (at === -1) break
      changed += path.slice(from, at) + by
      from = at + search.length
    }
    return cut(changed + path.slice(from))
  }
}
