/**
 * Keeps answers ready in memory: headers and bytes of small objects, cloned for each reader. Objects are immutable and
 * their names unique, so an answer stays right for ever. Answers that were not asked for lately are dropped when room
 * is needed.
 */
import { MEGABYTE } from '../../contract/units.ts'

/** Bytes up to which an object is kept. Larger objects are sent from disk: the kernel copies them without us. */
export const PREPARED_OBJECT_LIMIT = 128 * 1024
const CAPACITY = 64 * MEGABYTE

/** Bytes of memory that an entry costs besides the bytes of its object. */
const OVERHEAD = 2048

export interface Prepared {
  /** The path of the request: the headers hold the name of a download, which comes from the path. */
  path: string
  /** Bytes of the object. */
  size: number
  etag: string
  whole: Response
  notModified: Response
}

/** A copy shares bytes and headers with the original answer, which makes it far cheaper than a new answer. */
export const copyOf = (response: Response) => response.clone() as Response

export interface PreparedAnswers {
  get(object: string): Prepared | undefined
  put(object: string, prepared: Prepared): void
}

/** `workers`: how many processes of this machine share the memory. */
export const preparedCapacity = (workers: number) => CAPACITY / workers

export function createPreparedAnswers(capacity: number): PreparedAnswers {
  const entries = new Map<string, { prepared: Prepared; cost: number; asked: boolean }>()
  let held = 0

  function drop(object: string): void {
    held -= entries.get(object)?.cost ?? 0
    entries.delete(object)
  }

  /**
   * Drops entries, the oldest first, until `cost` fits. Each entry has a second chance: an entry that was asked for
   * since it was put in or spared goes back to the young end instead, without its mark.
   */
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
      // Setting a mark costs nothing; moving the entry in the map at every request would.
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
