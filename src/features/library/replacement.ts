/** What search-and-replace makes of one path. */
import { RE2JS, RE2JSException } from 're2js'
import { PATH_MAX_LENGTH } from '../../contract/paths.ts'
import { failure } from '../../errors.ts'

export type Replacement = (path: string) => string

/** A replacement for each letter makes forty thousand characters of a path. Nobody needs more of it than shows why not. */
const KEPT_LENGTH = 2 * PATH_MAX_LENGTH
const cut = (path: string) => (path.length > KEPT_LENGTH ? `${path.slice(0, KEPT_LENGTH)}…` : path)

/** All matches, case counts. */
export function replaceText(search: string, by: string): Replacement {
  return path => {
    let changed = ''
    let from = 0
    // Ends early, and is not cut afterwards: what is cut off would stay in memory with the rest.
    while (changed.length <= KEPT_LENGTH) {
      const at = path.indexOf(search, from)
      if (at === -1) break
      changed += path.slice(from, at) + by
      from = at + search.length
    }
    return cut(changed + path.slice(from))
  }
}

/**
 * RE2: takes time in proportion to the path for each match, whatever the expression. `$1`, `$&` in `by`, as in
 * JavaScript. That may still be seconds for one path, so it is computed on a thread (`expression.ts`).
 */
export function replaceExpression(search: string, by: string): Replacement {
  const expression = compiled(search)
  return path => cut(expression.matcher(path).replaceAll(by))
}

function compiled(search: string): RE2JS {
  try {
    return RE2JS.compile(search)
  } catch (error) {
    if (error instanceof RE2JSException) throw failure.expressionInvalid()
    throw error
  }
}
