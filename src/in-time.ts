/** Work that may hang, such as a look at a network share: whoever asks has an answer when the time is up. */

/**
 * `key` tells one piece of work from another: one that hangs is not begun again beside itself, which would pile up, and once
 * its time is up nobody waits for it again.
 */
export type InTime = <T>(key: string, work: () => Promise<T>, late: T) => Promise<T>

export function createInTime(deadline: number): InTime {
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
