/**
 * A map from SHA-256 checksums to numbers, for millions of entries. It takes about 50 bytes per entry; a
 * `Map` of strings takes three times as much. Compares only the first 128 bits: no two contents are known
 * that share them, and finding such a pair would take about 2^64 attempts.
 */
const KEY_WORDS = 4
const INITIAL_CAPACITY = 1024

export type ChecksumTable = ReturnType<typeof createChecksumTable>

export function createChecksumTable() {
  let capacity = INITIAL_CAPACITY
  let keys = new Uint32Array(capacity * KEY_WORDS)
  let values = new Float64Array(capacity).fill(Number.NaN)
  let usedSlots = 0
  const wantedKey = new Uint32Array(KEY_WORDS)

  function setWantedKey(sha256: string): void {
    for (let wordIndex = 0; wordIndex < KEY_WORDS; wordIndex++)
      wantedKey[wordIndex] = Number.parseInt(sha256.slice(8 * wordIndex, 8 * wordIndex + 8), 16)
  }

  /** Returns the slot with the wanted key, or the free slot in which it would be stored. */
  function findSlot(): number {
    for (let slot = wantedKey[0]! & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const offset = slot * KEY_WORDS
      const [a, b, c, d] = [keys[offset]!, keys[offset + 1]!, keys[offset + 2]!, keys[offset + 3]!]
      if ((a | b | c | d) === 0) return slot
      if (a === wantedKey[0] && b === wantedKey[1] && c === wantedKey[2] && d === wantedKey[3]) return slot
    }
  }

  function putUnderWantedKey(value: number): void {
    const slot = findSlot()
    if (keys.subarray(slot * KEY_WORDS, (slot + 1) * KEY_WORDS).every(word => word === 0)) usedSlots++
    keys.set(wantedKey, slot * KEY_WORDS)
    values[slot] = value
  }

  function grow(): void {
    const [oldKeys, oldValues] = [keys, values]
    capacity *= 2
    keys = new Uint32Array(capacity * KEY_WORDS)
    values = new Float64Array(capacity).fill(Number.NaN)
    usedSlots = 0
    for (let slot = 0; slot < oldValues.length; slot++) {
      wantedKey.set(oldKeys.subarray(slot * KEY_WORDS, (slot + 1) * KEY_WORDS))
      if (!Number.isNaN(oldValues[slot])) putUnderWantedKey(oldValues[slot]!)
    }
  }

  function get(sha256: string): number | undefined {
    setWantedKey(sha256)
    const value = values[findSlot()]!
    return Number.isNaN(value) ? undefined : value
  }

  return {
    get,
    has: (sha256: string) => get(sha256) !== undefined,
    set(sha256: string, value: number) {
      if (usedSlots >= capacity * 0.7) grow()
      setWantedKey(sha256)
      putUnderWantedKey(value)
    },
    delete(sha256: string) {
      setWantedKey(sha256)
      values[findSlot()] = Number.NaN
    },
  }
}
