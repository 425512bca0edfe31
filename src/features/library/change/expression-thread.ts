/**
 * Runs a regular expression on a thread of its own: RE2 takes time in proportion to the length of a path for
 * each match, which can be seconds for a single path. Other requests do not wait for the thread, and the
 * thread is ended when its time is up.
 */
import { startedFile } from '../../../base/program-files.ts'
import { within } from '../../../base/time-limit.ts'
import { failure } from '../../../errors/errors.ts'

/** Message to the thread. Each thread knows one expression only, that of its first message. */
export interface ExpressionQuestion {
  search: string
  by: string
  paths: readonly string[]
}
export type ExpressionAnswer = { changed: string[] } | { invalid: true } | { error: string }

interface ExpressionThread extends Disposable {
  /**
   * Answers the new path for each path. Rejects when the expression is invalid, and when all calls together
   * have taken longer than allowed. Only one call at a time.
   */
  replace(paths: readonly string[]): Promise<string[]>
}

export function startExpression(
  task: { search: string; by: string },
  milliseconds: number,
): ExpressionThread {
  const worker = new Worker(startedFile('expressionThread').href)
  let left = milliseconds

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
