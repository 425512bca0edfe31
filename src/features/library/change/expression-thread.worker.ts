/** The worker thread that `expression-thread.ts` starts: computes new paths with one regular expression. */
import { Failure } from '../../../errors/errors.ts'
import type { ExpressionRequest, ExpressionResponse } from './expression-thread.ts'
import type { PathReplacer } from './new-path.ts'
import { createExpressionReplacer } from './new-path-expression.ts'

declare const self: Worker

let replacer: PathReplacer | undefined

self.onmessage = ({ data }: MessageEvent<ExpressionRequest>) => self.postMessage(computeAnswer(data))

function computeAnswer({ search, replacement, paths }: ExpressionRequest): ExpressionResponse {
  try {
    replacer ??= createExpressionReplacer(search, replacement)
    return { newPaths: paths.map(replacer) }
  } catch (error) {
    return error instanceof Failure ? { invalid: true } : { error: String(error) }
  }
}
