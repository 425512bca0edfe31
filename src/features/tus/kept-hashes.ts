/**
 * Keeps the hashes of uploads between two requests. The runtime cannot export the state of a hash, so it is
 * kept in memory. If the hash is missing when the upload is complete (for example after a restart, or on
 * another machine), all bytes are read again.
 */
import { StreamHash } from '../../base/hash/sha256.ts'
import { MINUTE } from '../../contract/values/units.ts'

/** Maximum number of hashes that this process keeps. */
const MAX_KEPT_HASHES = 64
/** Milliseconds for which a hash is kept. */
const HASH_KEEP_TIME = 10 * MINUTE

interface KeptHash {
  hash: StreamHash
  byteCount: number
  timer: Timer
}

export type KeptHashes = ReturnType<typeof createKeptHashes>

export function createKeptHashes() {
  const hashesById = new Map<string, KeptHash>()

  function take(id: string): KeptHash | undefined {
    const keptHash = hashesById.get(id)
    hashesById.delete(id)
    clearTimeout(keptHash?.timer)
    return keptHash
  }

  const drop = (id: string) => take(id)?.hash.drop()

  return {
    drop,

    /**
     * Returns the hash of the first `byteCount` bytes and stops keeping it, because the caller adds the
     * following bytes to it. Null if the hash is not known.
     */
    take(id: string, byteCount: number): StreamHash | null {
      const keptHash = take(id)
      if (byteCount === 0 || keptHash?.byteCount !== byteCount) keptHash?.hash.drop()
      if (byteCount === 0) return new StreamHash()
      return keptHash?.byteCount === byteCount ? keptHash.hash : null
    },

    keep(id: string, byteCount: number, hash: StreamHash): void {
      drop(id)
      hashesById.set(id, { hash, byteCount, timer: setTimeout(() => drop(id), HASH_KEEP_TIME).unref() })
      const [oldestId] = hashesById.keys()
      if (hashesById.size > MAX_KEPT_HASHES) drop(oldestId!)
    },

    stop(): void {
      for (const id of [...hashesById.keys()]) drop(id)
    },
  }
}
