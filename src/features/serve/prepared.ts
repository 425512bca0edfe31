/**
 * Keeps answers ready in memory: headers and bytes of small objects, cloned for each reader. Objects are immutable and
 * their names unique, so an answer stays right for ever. Answers that were not asked for lately are dropped when room
 * is needed.
 */
import { MEGABYTE } from '../../contract/units.ts'

/** From this size on the runtime lets the kernel send a file (`sendfile`), which costs less than sending from memory. */
const SENT_BY_KERNEL = MEGABYTE
/** The part of all memory for answers that one may take, so that a few large ones do not drive out everything else. */
const LARGEST_SHARE = 1 / 128
/** A small object is kept in any case. */
const SMALL = 128 * 1024
/** Each time so many large objects have found no room, the oldest answer goes, or loses its mark of being in demand. */
const AGING = 16

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
  /**
   * Whether an object of this size is worth reading into memory: a small one always, a large one while there is room. Large
   * ones that drove each other out would cost more than sending them from disk.
   */
  admits(size: number): boolean
  get(object: string): Prepared | undefined
  put(object: string, prepared: Prepared): void
}

export function createPreparedAnswers(capacity: number): PreparedAnswers {
  const entries = new Map<string, { prepared: Prepared; cost: number; asked: boolean }>()
  const largest = Math.min(capacity * LARGEST_SHARE, SENT_BY_KERNEL - 1)
  let held = 0
  let refused = 0

  function drop(object: string): void {
    held -= entries.get(object)?.cost ?? 0
    entries.delete(object)
  }

  /**
   * Drops entries, the oldest first, until `cost` fits. Each entry has a second chance: an entry that was asked for
   * since it was put in or spared goes back to the young end instead, without its mark.
   */
  function makeRoom(cost: number): void {
    while (held + cost > capacity) age()
  }

  function age(): void {
    const [object, entry] = entries.entries().next().value!
    entries.delete(object)
    if (entry.asked) entries.set(object, { ...entry, asked: false })
    else held -= entry.cost
  }

  return {
    admits(size) {
      if (size <= SMALL || size > largest) return size <= SMALL
      if (held + size + OVERHEAD <= capacity) return true
      // Otherwise answers that were in demand yesterday would stay for ever.
      if (++refused % AGING === 0) age()
      return false
    },
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
