/**
 * Answers kept ready in memory: headers and bytes of small objects, cloned for each reader. Objects are immutable and
 * their names unique, so an answer is right for ever; those not asked for lately go when room is needed.
 */
import { MEGABYTE } from '../../contract/units.ts'

/** Larger objects are sent from disk, where the kernel copies them without us. */
export const PREPARED_OBJECT_LIMIT = 128 * 1024
const CAPACITY = 64 * MEGABYTE

/** What an entry costs besides its bytes. */
const OVERHEAD = 2048

export interface Prepared {
  /** The path it was asked for by: it stands in the name of a download. */
  path: string
  /** Bytes of the object. */
  size: number
  etag: string
  whole: Response
  notModified: Response
}

/** Shares bytes and headers with the original, which makes it far cheaper than a new answer. */
export const copyOf = (response: Response) => response.clone() as Response

export interface PreparedAnswers {
  get(object: string): Prepared | undefined
  put(object: string, prepared: Prepared): void
}

export function createPreparedAnswers(capacity = CAPACITY): PreparedAnswers {
  const entries = new Map<string, { prepared: Prepared; cost: number; asked: boolean }>()
  let held = 0

  function drop(object: string): void {
    held -= entries.get(object)?.cost ?? 0
    entries.delete(object)
  }

  /** Second chance: what was asked for since it last stood at the end goes back to the start. */
  function makeRoom(cost: number): void {
    for (const [object, entry] of entries) {
      if (held + cost <= capacity) return
      entries.delete(object)
      if (entry.asked) entries.set(object, { ...entry, asked: false })
      else held -= entry.cost
    }
  }

  return {
    get(object) {
      const entry = entries.get(object)
      if (!entry) return undefined
      // A mark costs nothing; moving the entry at every request would.
      entry.asked = true
      return entry.prepared
    },
    put(object, prepared) {
      drop(object)
      const cost = prepared.size + OVERHEAD
      if (cost > capacity) return
      makeRoom(cost)
      entries.set(object, { prepared, cost, asked: false })
      held += cost
    },
  }
}
