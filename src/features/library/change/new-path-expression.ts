/**
 * Computes the new path that search-and-replace with a regular expression makes of one path; loaded by its
 * thread alone.
 */
import { RE2JS, RE2JSException } from 're2js'
import { failure } from '../../../errors/errors.ts'
import { cut, type Replacement } from './new-path.ts'

/**
 * Replaces all matches of a regular expression. `by` may contain `$1` and `$&`, as in JavaScript. RE2 takes
 * time in proportion to the length of the path for each match, whatever the expression. That may still be
 * seconds for one path, so the replacement is computed on a thread (`expression-thread.ts`).
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
