/**
 * Computes new paths with a regular expression, for search-and-replace. Loaded only in the worker thread for
 * expressions.
 */
import { RE2JS, RE2JSException } from 're2js'
import { failure } from '../../../errors/errors.ts'
import { type PathReplacer, truncatePath } from './new-path.ts'

/**
 * Returns a function that replaces all matches in a path. `replacement` may contain `$1` and `$&`, as in
 * JavaScript. RE2 takes linear time per match, but a single path can still take seconds, so this runs in a
 * worker thread (`expression-thread.ts`).
 */
export function createExpressionReplacer(search: string, replacement: string): PathReplacer {
  const expression = compileExpression(search)
  return path => truncatePath(expression.matcher(path).replaceAll(replacement))
}

function compileExpression(search: string): RE2JS {
  try {
    return RE2JS.compile(search)
  } catch (error) {
    if (error instanceof RE2JSException) throw failure.expressionInvalid()
    throw error
  }
}
