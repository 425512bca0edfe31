/**
 * Runs a regular expression in a worker thread, so that other requests do not wait for it: RE2 takes linear
 * time per match, but a single path can still take seconds. After a time limit the thread is terminated.
 */
import { entryPoint } from '../../../base/program-files.ts'
import { withTimeout } from '../../../base/time-limit.ts'
import { failure } from '../../../errors/errors.ts'

/** The thread uses `search` and `replacement` of the first message, and ignores those of later ones. */
export interface ExpressionRequest {
  search: string
  replacement: string
  paths: readonly string[]
}
export type ExpressionResponse = { newPaths: string[] } | { invalid: true } | { error: string }

export function startExpressionThread(task: { search: string; replacement: string }, timeLimit: number) {
  const worker = new Worker(entryPoint('expressionThread').href)
  let remainingTime = timeLimit

  /**
   * Returns the new path for each path. Rejects if the expression is invalid, if the thread fails, or if all
   * calls together take longer than `timeLimit` milliseconds. A call must not begin before the previous one
   * has ended.
   */
  async function replace(paths: readonly string[]): Promise<string[]> {
    const startedAt = performance.now()
    const answer = await postRequest({ ...task, paths })
    remainingTime -= performance.now() - startedAt
    if ('newPaths' in answer) return answer.newPaths
    if ('invalid' in answer) throw failure.expressionInvalid()
    throw new Error(answer.error)
  }

  function postRequest(request: ExpressionRequest): Promise<ExpressionResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<ExpressionResponse>()
    worker.onmessage = ({ data }: MessageEvent<ExpressionResponse>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(`the thread for expressions was lost: ${message}`))
    worker.postMessage(request)
    return withTimeout(Math.max(remainingTime, 0), promise, () => {
      throw failure.expressionTooSlow()
    })
  }

  return { replace, [Symbol.dispose]: () => worker.terminate() }
}
