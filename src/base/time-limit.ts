/** Waits for work that may hang, such as access to a network share, for a limited time. */

/**
 * Settles like `work`, or after `milliseconds` resolves with the result of `onTimeout` (which may throw).
 * `work` is not stopped, but its later result is ignored.
 */
export async function withTimeout<T, L = undefined>(
  milliseconds: number,
  work: PromiseLike<T>,
  onTimeout?: () => L,
): Promise<T | L> {
  const { promise: timeout, resolve } = Promise.withResolvers<L>()
  const timer = setTimeout(resolve, Math.max(0, milliseconds))
  try {
    return await Promise.race([work, timeout.then(onTimeout)])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs `work` with a time limit; resolves with `lateResult` if it takes longer. Callers with the same `key`
 * share one running call. After a call has exceeded the limit, no new one is started before it ends, because
 * hanging calls would pile up; until then, further callers immediately get `lateResult`.
 */
export type WithTimeLimit = <T>(key: string, work: () => Promise<T>, lateResult: T) => Promise<T>

export function createTimeLimit(milliseconds: number): WithTimeLimit {
  const runningCalls = new Map<string, { outcome: Promise<unknown>; isLate: boolean }>()

  function beginCall(key: string, work: () => Promise<unknown>) {
    const outcome = Promise.resolve()
      .then(work)
      .finally(() => runningCalls.delete(key))
    const call = { outcome, isLate: false }
    runningCalls.set(key, call)
    return call
  }

  return async <T>(key: string, work: () => Promise<T>, lateResult: T) => {
    const call = runningCalls.get(key) ?? beginCall(key, work)
    if (call.isLate) return lateResult
    return withTimeout(milliseconds, call.outcome as Promise<T>, () => {
      call.isLate = true
      return lateResult
    })
  }
}
