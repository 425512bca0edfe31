/**
 * Small objects kept in memory. Objects are immutable and their names unique, so an entry is right for ever; the
 * least recently used ones go when room is needed.
 */

/** Larger objects are sent from disk, where the kernel copies them without us. */
export const CACHED_OBJECT_LIMIT = 128 * 1024
const CACHE_BYTES = 64 * 1024 * 1024

export interface ObjectCache {
  get(name: string): Uint8Array<ArrayBuffer> | undefined
  put(name: string, bytes: Uint8Array<ArrayBuffer>): void
}

export function createObjectCache(capacity = CACHE_BYTES): ObjectCache {
  const entries = new Map<string, Uint8Array<ArrayBuffer>>()
  let held = 0
  return {
    get(name) {
      const bytes = entries.get(name)
      if (bytes) {
        entries.delete(name)
        entries.set(name, bytes)
      }
      return bytes
    },
    put(name, bytes) {
      if (entries.has(name) || bytes.length > capacity) return
      entries.set(name, bytes)
      held += bytes.length
      for (const [oldest, { length }] of entries) {
        if (held <= capacity) break
        entries.delete(oldest)
        held -= length
      }
    },
  }
}
