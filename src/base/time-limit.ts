/** Waits for work that may hang, such as access to a network share, for a limited time. */

/**
 * Resolves with the result of `work`, or after `milliseconds` with that of `late` (which may throw). The work
 * is not stopped, but its later result is ignored.
 */
export async function within<T, L = undefined>(
  milliseconds: number,
  work: PromiseLike<T>,
  late?: () => L,
): Promise<T | L> {
  const { promise: over, resolve } = Promise.withResolvers<L>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    return await Promise.race([work, over.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs work with a time limit. `key` identifies the work. Work that hangs is not started again, as calls
 * would pile up: until it ends, further callers get `late` at once.
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
    return within(deadline, running.outcome as Promise<T>, () => {
      running.isLate = true
      return late
    })
  }
}
