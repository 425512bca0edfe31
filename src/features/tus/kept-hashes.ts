/**
 * Keeps the hashes of uploads between two requests. The runtime cannot export the state of a hash, so it is
 * kept in memory. If the hash is missing at the end (after a restart, or on another machine), the bytes are
 * read again.
 */
import { StreamHash } from '../../base/hash/sha256.ts'
import { MINUTE } from '../../contract/values/units.ts'

/** Maximum number of hashes kept, and milliseconds for which one is kept. */
const MAX_KEPT = 64
const KEPT_FOR = 10 * MINUTE

interface KeptHash {
  hash: StreamHash
  received: number
  timer: Timer
}

export type KeptHashes = ReturnType<typeof createKeptHashes>

export function createKeptHashes() {
  const kept = new Map<string, KeptHash>()

  function take(id: string): KeptHash | undefined {
    const found = kept.get(id)
    kept.delete(id)
    clearTimeout(found?.timer)
    return found
  }

  const drop = (id: string) => take(id)?.hash.drop()

  return {
    drop,

    /** The hash of the first `received` bytes, which the caller continues; null if it is not known. */
    take(id: string, received: number): StreamHash | null {
      const found = take(id)
      if (received === 0 || found?.received !== received) found?.hash.drop()
      if (received === 0) return new StreamHash()
      return found?.received === received ? found.hash : null
    },

    keep(id: string, received: number, hash: StreamHash): void {
      drop(id)
      kept.set(id, { hash, received, timer: setTimeout(() => drop(id), KEPT_FOR).unref() })
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT) drop(oldest!)
    },

    stop(): void {
      for (const id of [...kept.keys()]) drop(id)
    },
  }
}
