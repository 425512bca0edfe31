/** The thread that `expression-thread.ts` starts: replaces paths by one regular expression. */
import { Failure } from '../../../errors/errors.ts'
import type { ExpressionAnswer, ExpressionQuestion } from './expression-thread.ts'
import type { Replacement } from './new-path.ts'
import { replaceExpression } from './new-path-expression.ts'

declare const self: Worker

let replacement: Replacement | undefined

self.onmessage = ({ data }: MessageEvent<ExpressionQuestion>) => self.postMessage(answer(data))

function answer({ search, by, paths }: ExpressionQuestion): ExpressionAnswer {
  try {
    replacement ??= replaceExpression(search, by)
    return { changed: paths.map(replacement) }
  } catch (error) {
    return error instanceof Failure ? { invalid: true } : { error: String(error) }
  }
}
