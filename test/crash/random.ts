/** Seeded randomness (mulberry32), so that a failed run can be repeated with the seed that it printed. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array<ArrayBuffer>
  /** A separate generator for one client, so that clients do not affect each other's sequence. */
  fork(): Random
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const next = () => word() / 2 ** 32
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    chance: probability => next() < probability,
    pick: list => {
      if (list.length === 0) throw new Error('Nothing to pick from.')
      return list[between(0, list.length - 1)]!
    },
    bytes: length => {
      const words = new Uint32Array(Math.ceil(length / 4))
      for (let at = 0; at < words.length; at++) words[at] = word()
      return new Uint8Array(words.buffer, 0, length)
    },
    fork: () => seededRandom(word()),
  }
}
