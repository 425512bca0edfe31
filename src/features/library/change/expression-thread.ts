/**
 * Runs a regular expression in a thread: RE2 takes linear time per match, which can be seconds for a single
 * path. Other requests do not wait for it, and it is terminated after a time limit.
 */
import { startedFile } from '../../../base/program-files.ts'
import { within } from '../../../base/time-limit.ts'
import { failure } from '../../../errors/errors.ts'

/** Each thread has one expression, that of its first message. */
export interface ExpressionQuestion {
  search: string
  by: string
  paths: readonly string[]
}
export type ExpressionAnswer = { changed: string[] } | { invalid: true } | { error: string }

export function startExpression(task: { search: string; by: string }, milliseconds: number) {
  const worker = new Worker(startedFile('expressionThread').href)
  let left = milliseconds

  /**
   * Returns the new path for each path. Rejects if the expression is invalid, or if all calls together exceed
   * the time limit. A call must not begin before the previous one has ended.
   */
  async function replace(paths: readonly string[]): Promise<string[]> {
    const started = performance.now()
    const answer = await ask({ ...task, paths })
    left -= performance.now() - started
    if ('changed' in answer) return answer.changed
    if ('invalid' in answer) throw failure.expressionInvalid()
    throw new Error(answer.error)
  }

  function ask(question: ExpressionQuestion): Promise<ExpressionAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ExpressionAnswer>()
    worker.onmessage = ({ data }: MessageEvent<ExpressionAnswer>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(`the thread for expressions was lost: ${message}`))
    worker.postMessage(question)
    return within(Math.max(left, 0), promise, () => {
      throw failure.expressionTooSlow()
    })
  }

  return { replace, [Symbol.dispose]: () => worker.terminate() }
}
