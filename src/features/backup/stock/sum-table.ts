/**
 * A map from SHA-256 checksums to numbers for millions of entries: about 50 bytes each, where a `Map` of
 * strings takes three times as much. Compares only the first 128 bits: no two contents are known that share
 * them, and nobody can construct such a pair.
 */
const WORDS = 4
const FIRST_CAPACITY = 1024

export type SumTable = ReturnType<typeof createSumTable>

export function createSumTable() {
  let capacity = FIRST_CAPACITY
  let keys = new Uint32Array(capacity * WORDS)
  let values = new Float64Array(capacity).fill(Number.NaN)
  let used = 0
  const wanted = new Uint32Array(WORDS)

  function parse(sha256: string): void {
    for (let word = 0; word < WORDS; word++)
      wanted[word] = Number.parseInt(sha256.slice(8 * word, 8 * word + 8), 16)
  }

  /** The slot with the wanted key, or the free slot in which it would be stored. */
  function slotOf(): number {
    for (let slot = wanted[0]! & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const at = slot * WORDS
      const [a, b, c, d] = [keys[at]!, keys[at + 1]!, keys[at + 2]!, keys[at + 3]!]
      if ((a | b | c | d) === 0) return slot
      if (a === wanted[0] && b === wanted[1] && c === wanted[2] && d === wanted[3]) return slot
    }
  }

  function put(value: number): void {
    const slot = slotOf()
    if (keys.subarray(slot * WORDS, (slot + 1) * WORDS).every(word => word === 0)) used++
    keys.set(wanted, slot * WORDS)
    values[slot] = value
  }

  function grow(): void {
    const [oldKeys, oldValues] = [keys, values]
    capacity *= 2
    keys = new Uint32Array(capacity * WORDS)
    values = new Float64Array(capacity).fill(Number.NaN)
    used = 0
    for (let slot = 0; slot < oldValues.length; slot++) {
      wanted.set(oldKeys.subarray(slot * WORDS, (slot + 1) * WORDS))
      if (!Number.isNaN(oldValues[slot])) put(oldValues[slot]!)
    }
  }

  function get(sha256: string): number | undefined {
    parse(sha256)
    const value = values[slotOf()]!
    return Number.isNaN(value) ? undefined : value
  }

  return {
    get,
    has: (sha256: string) => get(sha256) !== undefined,
    set(sha256: string, value: number) {
      if (used >= capacity * 0.7) grow()
      parse(sha256)
      put(value)
    },
    delete(sha256: string) {
      parse(sha256)
      values[slotOf()] = Number.NaN
    },
  }
}
