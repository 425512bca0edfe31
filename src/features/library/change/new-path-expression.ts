/** The new path by regular expression, for search-and-replace; loaded only by its thread. */
import { RE2JS, RE2JSException } from 're2js'
import { failure } from '../../../errors/errors.ts'
import { cutPath, type Replacement } from './new-path.ts'

/**
 * Replaces all matches. `by` may contain `$1` and `$&`, as in JavaScript. RE2 takes linear time per match,
 * which may still be seconds for one path, hence the thread (`expression-thread.ts`).
 */
export function replaceExpression(search: string, by: string): Replacement {
  const expression = compileExpression(search)
  return path => cutPath(expression.matcher(path).replaceAll(by))
}

function compileExpression(search: string): RE2JS {
  try {
    return RE2JS.compile(search)
  } catch (error) {
    if (error instanceof RE2JSException) throw failure.expressionInvalid()
    throw error
  }
}
