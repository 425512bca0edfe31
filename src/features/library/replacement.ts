/** What search-and-replace makes of one path. */
import { RE2JS, RE2JSException } from 're2js'
import { failure } from '../../errors.ts'

export type Replacement = (path: string) => string

/** All matches, case counts. */
export function replaceText(search: string, by: string): Replacement {
  return path => path.replaceAll(search, () => by)
}

/** RE2: takes time in proportion to the path, whatever the expression. `$1`, `$&` in `by`, as in JavaScript. */
export function replaceExpression(search: string, by: string): Replacement {
  const expression = compiled(search)
  return path => expression.matcher(path).replaceAll(by)
}

function compiled(search: string): RE2JS {
  try {
    return RE2JS.compile(search)
  } catch (error) {
    if (error instanceof RE2JSException) throw failure.expressionInvalid()
    throw error
  }
}
