/**
 * Keeps answers ready in memory: headers and bytes of small objects, headers and the open file of larger ones
 * that the kernel sends, and the 304 of any object. Objects are immutable and their names unique, so an
 * answer stays right for ever. Answers that were not asked for lately are dropped when room is needed.
 */

import { KEPT_FILES_MOST } from '../../base/descriptors.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { ReadyAnswer } from '../../http/server/sending/answers.ts'
import { SENDS_FILES } from '../../http/server/sending/kernel.ts'

/**
 * From this size on the kernel sends a file for less than its bytes could be sent from memory (decision
 * 0032).
 */
const SENT_BY_KERNEL = 64 * 1024
/** Objects of this size are sent as they come from the store, also where the kernel does not send them. */
const TOO_LARGE = MEGABYTE
/**
 * Milliseconds after which a file that nobody has read is closed: a file that was deleted takes up room until
 * then.
 */
const FILES_IDLE = 10_000
/** The part of all memory for answers that one may take, so that a few large ones do not take everything. */
const LARGEST_SHARE = 1 / 128
/** A small object may be kept however little memory there is. */
const SMALL = 128 * 1024
/**
 * An object that finds no room makes this part of the room that it would need: so few answers drive each
 * other out.
 */
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
  modified: number
  /** Each is null until it was given once. */
  whole: ReadyAnswer | null
  notModified: ReadyAnswer | null
}

const isForKernel = (size: number) => SENDS_FILES && size >= SENT_BY_KERNEL

export interface PreparedAnswers {
  /**
   * Whether an object of this size is worth reading into memory, which it is while there is room. Answers
   * that drove each other out would cost more than sending them from disk. `isFile`: whether it is a file of
   * this machine.
   */
  admits(size: number, isFile: boolean): boolean
  /** Whether a file of this size may stay open. */
  admitsFile(size: number): boolean
  get(object: string): Prepared | undefined
  /** May give the answer up at once, and close its file: whoever is to send it hands it out before. */
  put(object: string, prepared: Prepared): void
  /** Gives everything up and keeps nothing more. */
  close(): void
}

/** `filesMost`: how many may be open at a time. */
export function createPreparedAnswers(capacity: number, filesMost = KEPT_FILES_MOST): PreparedAnswers {
  const entries = new Map<string, { prepared: Prepared; cost: number; asked: boolean; read: boolean }>()
  const largest = Math.min(Math.max(capacity * LARGEST_SHARE, SMALL), TOO_LARGE - 1)
  let hand = entries.entries()
  let held = 0
  /** Bytes of room that are still to be made. */
  let wanted = 0
  /** Files that are open. */
  let files = 0
  let closing: Timer | null = null
  let isClosed = false

  /** `kept`: the answer that stays, in another entry. */
  function drop(object: string, kept: ReadyAnswer | null = null): void {
    const entry = entries.get(object)
    if (!entry) return
    entries.delete(object)
    held -= entry.cost
    const { whole } = entry.prepared
    if (whole === kept || !whole) return
    whole.drop()
    if (whole.file) files--
  }

  /** Closes the files that nobody has read since it was last called. */
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

  /** Drops entries until `cost` fits. */
  function makeRoom(cost: number): void {
    while (held + cost > capacity) age()
  }

  /**
   * The hand of a clock goes round over the entries, the oldest first. An entry that was asked for since the
   * hand came by is spared and loses its mark. Answers the bytes of room that were made. The hand stays where
   * it is between two calls: from the beginning a map would walk over the places of all entries that were
   * dropped since it was last laid out anew.
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
    admitsFile: size => isForKernel(size) && capacity > 0 && files < filesMost && !isClosed,
    admits(size, isFile) {
      if (isFile && isForKernel(size)) return false
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
      entry.read = true
      return entry.prepared
    },
    put(object, prepared) {
      const before = entries.get(object)?.prepared.whole
      drop(object, prepared.whole)
      const { whole, size } = prepared
      const cost = (whole && !whole.file ? size : 0) + OVERHEAD
      if (cost > capacity || isClosed) {
        whole?.drop()
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
    close() {
      isClosed = true
      stopClosing()
      for (const object of [...entries.keys()]) drop(object)
    },
  }
}
