/**
 * Keeps answers ready in memory, cloned for each reader: headers and bytes of small objects, and the 304 of any object.
 * Objects are immutable and their names unique, so an answer stays right for ever. Answers that were not asked for lately
 * are dropped when room is needed.
 */
import { MEGABYTE } from '../../contract/units.ts'

/** From this size on the runtime lets the kernel send a file (`sendfile`), which costs less than sending from memory. */
const SENT_BY_KERNEL = MEGABYTE
/** The part of all memory for answers that one may take, so that a few large ones do not take everything. */
const LARGEST_SHARE = 1 / 128
/** A small object may be kept however little memory there is. */
const SMALL = 128 * 1024
/** An object that finds no room makes this part of the room that it would need: so few answers drive each other out. */
const ROOM_SHARE = 1 / 8
/** Entries that are looked at for it at the most, so that no request waits for long. */
const STEPS = 4

/** Bytes of memory that an entry costs besides the bytes of its object. */
const OVERHEAD = 2048

export interface Prepared {
  /** The path of the request: the headers hold the name of a download, which comes from the path. */
  path: string
  /** Bytes of the object. */
  size: number
  etag: string
  /** Each is null until it was given once; the whole of a large object is never kept. */
  whole: Response | null
  notModified: Response | null
}

/** A copy shares bytes and headers with the original answer, which makes it far cheaper than a new answer. */
export const copyOf = (response: Response) => response.clone() as Response

export interface PreparedAnswers {
  /**
   * Whether an object of this size is worth reading into memory, which it is while there is room. Answers that drove each
   * other out would cost more than sending them from disk.
   */
  admits(size: number): boolean
  get(object: string): Prepared | undefined
  put(object: string, prepared: Prepared): void
}

export function createPreparedAnswers(capacity: number): PreparedAnswers {
  const entries = new Map<string, { prepared: Prepared; cost: number; asked: boolean }>()
  const largest = Math.min(Math.max(capacity * LARGEST_SHARE, SMALL), SENT_BY_KERNEL - 1)
  let hand = entries.entries()
  let held = 0
  /** Bytes of room that are still to be made. */
  let wanted = 0

  /** `kept`: the answer that stays, in another entry. */
  function drop(object: string, kept: Response | null = null): void {
    const entry = entries.get(object)
    if (!entry) return
    entries.delete(object)
    held -= entry.cost
    // An answer that was read gives up its bytes, while copies that are being sent keep them. The garbage collector alone
    // would free them so late that they pile up to many times the capacity.
    if (entry.prepared.whole !== kept) void entry.prepared.whole?.arrayBuffer()
  }

  /** Drops entries until `cost` fits. */
  function makeRoom(cost: number): void {
    while (held + cost > capacity) age()
  }

  /**
   * The hand of a clock goes round over the entries, the oldest first. An entry that was asked for since the hand came by
   * is spared and loses its mark. Answers the bytes of room that were made. The hand stays where it is between two calls:
   * from the beginning a map would walk over the places of all entries that were dropped since it was last laid out anew.
   */
  function age(): number {
    let next = hand.next()
    if (next.done) {
      hand = entries.entries()
      next = hand.next()
    }
    const [object, entry] = next.value!
    if (!entry.asked) {
      drop(object)
      return entry.cost
    }
    entry.asked = false
    return 0
  }

  return {
    admits(size) {
      const cost = size + OVERHEAD
      if (size > largest || cost > capacity) return false
      const isRoom = () => held + cost <= capacity
      if (isRoom()) return true
      // Otherwise answers that were in demand yesterday would stay for ever.
      wanted = Math.min(wanted + cost * ROOM_SHARE, cost)
      for (let step = 0; step < STEPS && wanted > 0 && !isRoom(); step++) wanted -= age()
      return isRoom()
    },
    get(object) {
      const entry = entries.get(object)
      if (!entry) return undefined
      // Setting a mark costs nothing; moving the entry in the map at every request would.
      entry.asked = true
      return entry.prepared
    },
    put(object, prepared) {
      drop(object, prepared.whole)
      const cost = (prepared.whole ? prepared.size : 0) + OVERHEAD
      if (cost > capacity) return
      makeRoom(cost)
      entries.set(object, { prepared, cost, asked: false })
      held += cost
    },
  }
}
