/** Work that may hang, such as a look at a network share: whoever asks has an answer when the time is up. */

/** `key` tells one piece of work from another: one that hangs is not begun again beside itself, which would pile up. */
export type InTime = <T>(key: string, work: () => Promise<T>, late: T) => Promise<T>

export function createInTime(deadline: number): InTime {
  const underway = new Map<string, Promise<unknown>>()

  function begin(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const begun = Promise.resolve()
      .then(work)
      .finally(() => underway.delete(key))
    underway.set(key, begun)
    return begun
  }

  return async <T>(key: string, work: () => Promise<T>, late: T) => {
    const running = (underway.get(key) ?? begin(key, work)) as Promise<T>
    const { promise: over, resolve } = Promise.withResolvers<T>()
    const timer = setTimeout(() => resolve(late), deadline)
    try {
      return await Promise.race([running, over])
    } finally {
      clearTimeout(timer)
    }
  }
}
