/**
 * Runs work that may hang, such as access to a network share, and answers a substitute when the time is up.
 */

/**
 * `key` identifies the work. Work that hangs is not started a second time, because hanging calls would pile
 * up. Once its time is up, every further caller gets `late` at once until the work ends.
 */
export type WithTimeLimit = <T>(key: string, work: () => Promise<T>, late: T) => Promise<T>

export function createTimeLimit(deadline: number): WithTimeLimit {
  const underway = new Map<string, { outcome: Promise<unknown>; isLate: boolean }>()

  function begin(key: string, work: () => Promise<unknown>) {
    const outcome = Promise.resolve()
      .then(work)
      .finally(() => underway.delete(key))
    const begun = { outcome, isLate: false }
    underway.set(key, begun)
    return begun
  }

  return async <T>(key: string, work: () => Promise<T>, late: T) => {
    const running = underway.get(key) ?? begin(key, work)
    if (running.isLate) return late
    const { promise: over, resolve } = Promise.withResolvers<T>()
    const timer = setTimeout(() => {
      running.isLate = true
      resolve(late)
    }, deadline)
    try {
      return await Promise.race([running.outcome as Promise<T>, over])
    } finally {
      clearTimeout(timer)
    }
  }
}
