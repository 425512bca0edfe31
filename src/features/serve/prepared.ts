/**
 * Prepared answers in memory: headers and bytes of small objects, headers and the open file of larger ones
 * sent with `sendfile`, and the 304 of any object. Objects are immutable and their names unique, so an answer
 * never becomes stale. Answers not used lately are evicted when room is needed.
 */

import { MAX_KEPT_FILES } from '../../base/descriptors.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { ReadyAnswer } from '../../http/server/sending/answers.ts'
import { HAS_SENDFILE } from '../../http/server/sending/sendfile.ts'

/** Minimum size in bytes from which `sendfile` is cheaper than sending from memory (decision 0032). */
const SENT_BY_KERNEL = 64 * 1024
/** Minimum bytes of an object that is streamed from the store, never kept in memory. */
const TOO_LARGE = MEGABYTE
/** Milliseconds after which an open file that nobody has read is closed. */
const FILES_IDLE = 10_000
/** Maximum share of `capacity` for one answer, so that a few large ones do not fill it. */
const LARGEST_SHARE = 1 / 128
/** Maximum bytes of an object that may be kept however little memory there is. */
const SMALL = 128 * 1024
/** Share of its own size that an object frees if it does not fit, so that answers rarely evict each other. */
const ROOM_SHARE = 1 / 8
/** Maximum number of entries that are examined to free this room, so that no request waits long. */
const STEPS = 4

/** Bytes of memory for an entry besides its object's bytes. */
const OVERHEAD = 2048

export interface PreparedAnswer {
  /** The path of the request. The headers contain the name of a download, which comes from this path. */
  path: string
  /** Bytes of the object. */
  size: number
  etag: string
  modified: number
  /** Null until this answer was first sent. */
  whole: ReadyAnswer | null
  notModified: ReadyAnswer | null
}

const isForKernel = (size: number) => HAS_SENDFILE && size >= SENT_BY_KERNEL

export type PreparedAnswers = ReturnType<typeof createPreparedAnswers>

/** `filesMost`: maximum number of open files. */
export function createPreparedAnswers(capacity: number, filesMost = MAX_KEPT_FILES) {
  const entries = new Map<string, { prepared: PreparedAnswer; cost: number; asked: boolean; read: boolean }>()
  const largest = Math.min(Math.max(capacity * LARGEST_SHARE, SMALL), TOO_LARGE - 1)
  let hand = entries.entries()
  let held = 0
  /** Bytes still to be freed. */
  let wanted = 0
  /** Number of open files. */
  let files = 0
  let closing: Timer | null = null
  let isClosed = false

  /** Removes an entry and drops its answer, unless the answer is `kept`, which moves to another entry. */
  function drop(object: string, kept: ReadyAnswer | null = null): void {
    const entry = entries.get(object)
    if (!entry) return
    entries.delete(object)
    held -= entry.cost
    const { whole } = entry.prepared
    if (whole === kept || !whole) return
    whole.retire()
    if (whole.file) files--
  }

  /** Closes the files that nobody has read since the last call. */
  function closeIdle(): void {
    for (const [object, entry] of [...entries]) {
      if (!entry.prepared.whole?.file) continue
      if (!entry.read) drop(object)
      entry.read = false
    }
    if (files === 0) stopClosing()
  }

  function stopClosing(): void {
    if (closing) clearInterval(closing)
    closing = null
  }

  /** Evicts entries until `cost` fits. */
  function makeRoom(cost: number): void {
    while (held + cost > capacity) moveHand()
  }

  /**
   * CLOCK eviction: the hand goes round over the entries, oldest first. An entry that was used since the hand
   * last came by is spared and loses its reference bit. Returns the bytes freed. The hand is kept between
   * calls: an iterator that starts anew would walk over the slots of all entries deleted since the map was
   * last compacted.
   */
  function moveHand(): number {
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
    /** Whether a file of this size may stay open. */
    admitsFile: (size: number) => isForKernel(size) && capacity > 0 && files < filesMost && !isClosed,
    /**
     * Whether an object of this size is worth reading into memory, while there is room: answers that evict
     * each other would cost more than sending them from disk. `isFile`: a local file.
     */
    admits(size: number, isFile: boolean) {
      if (isFile && isForKernel(size)) return false
      const cost = size + OVERHEAD
      if (size > largest || cost > capacity) return false
      const isRoom = () => held + cost <= capacity
      if (isRoom()) return true
      // Frees part of the needed room, so that yesterday's popular answers do not stay for ever.
      wanted = Math.min(wanted + cost * ROOM_SHARE, cost)
      for (let step = 0; step < STEPS && wanted > 0 && !isRoom(); step++) wanted -= moveHand()
      return isRoom()
    },
    get(object: string) {
      const entry = entries.get(object)
      if (!entry) return undefined
      // Setting the reference bit costs nothing; moving the entry in the map at every request would.
      entry.asked = true
      entry.read = true
      return entry.prepared
    },
    /** May drop the answer at once, and close its file: call `acquire` first. */
    put(object: string, prepared: PreparedAnswer) {
      const before = entries.get(object)?.prepared.whole
      drop(object, prepared.whole)
      const { whole, size } = prepared
      const cost = (whole && !whole.file ? size : 0) + OVERHEAD
      if (cost > capacity || isClosed) {
        whole?.retire()
        return
      }
      makeRoom(cost)
      if (whole?.file && whole !== before) {
        files++
        closing ??= setInterval(closeIdle, FILES_IDLE).unref()
      }
      entries.set(object, { prepared, cost, asked: false, read: true })
      held += cost
    },
    /** Drops everything and keeps nothing more. */
    close() {
      isClosed = true
      stopClosing()
      for (const object of [...entries.keys()]) drop(object)
    },
  }
}
