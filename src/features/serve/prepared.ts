/**
 * Prepared answers in memory: headers and bytes of small objects, headers and the open file of larger ones
 * sent with `sendfile`, and the 304 of any object. Objects are immutable and their names unique, so the bytes
 * of an answer never become stale. Answers that were not used recently are evicted when memory is needed.
 */

import { MAX_OPEN_FILES } from '../../base/system/descriptors.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { ReadyAnswer } from '../../http/server/answers.ts'

/** Size in bytes from which `sendfile` is cheaper than sending from memory (decision 0032). */
const MIN_SENDFILE_SIZE = 64 * 1024
/** Bytes. Objects of at least this size are never read into memory. */
const MIN_STREAMED_SIZE = MEGABYTE
/**
 * Milliseconds between two runs of `closeIdleFiles`, which closes the files that no request has used since
 * the previous run.
 */
const FILE_IDLE_TIME = 10_000
/** Maximum share of `capacity` for one answer, so that a few large answers do not fill it. */
const MAX_ANSWER_SHARE = 1 / 128
/** Bytes. `MAX_ANSWER_SHARE` does not apply to objects up to this size. */
const ALWAYS_ADMITTED_SIZE = 128 * 1024
/**
 * When an object does not fit, entries are evicted to free this share of its size. The share is small, so
 * that answers rarely evict each other.
 */
const FREED_SHARE = 1 / 8
/**
 * Maximum number of entries that are examined to free memory for one object, so that no request waits long.
 */
const MAX_EVICTION_STEPS = 4

/** Estimated bytes of memory that an entry takes in addition to the bytes of its object. */
const ENTRY_OVERHEAD = 2048

export interface PreparedAnswer {
  /** The path of the request. The file name for downloads in the headers is taken from this path. */
  path: string
  /** Bytes of the object. */
  size: number
  etag: string
  modified: number
  /** The answer with the whole object; null until it is first sent. */
  whole: ReadyAnswer | null
  /** The 304; null until it is first sent. */
  notModified: ReadyAnswer | null
}

export type PreparedAnswers = ReturnType<typeof createPreparedAnswers>

/**
 * `capacity`: maximum bytes of memory. `maxOpenFiles`: maximum number of files that stay open; 0 if the
 * server does not send files with `sendfile`.
 */
export function createPreparedAnswers(capacity: number, maxOpenFiles = MAX_OPEN_FILES) {
  const entries = new Map<
    string,
    { answer: PreparedAnswer; cost: number; isReferenced: boolean; isRecentlyUsed: boolean }
  >()
  const maxObjectSize = Math.min(
    Math.max(capacity * MAX_ANSWER_SHARE, ALWAYS_ADMITTED_SIZE),
    MIN_STREAMED_SIZE - 1,
  )
  const isForSendfile = (size: number) => maxOpenFiles > 0 && size >= MIN_SENDFILE_SIZE
  let clockHand = entries.entries()
  let heldBytes = 0
  /** Bytes to free for objects that were refused because they did not fit. */
  let bytesToFree = 0
  let openFileCount = 0
  let idleTimer: Timer | null = null
  let isClosed = false

  /**
   * Removes an entry. Also retires the answer with the whole object: when no request uses that answer any
   * more, its memory is freed and its file is closed. The answer `movedAnswer` is not retired, because the
   * caller puts it into a new entry.
   */
  function removeEntry(object: string, movedAnswer: ReadyAnswer | null = null): void {
    const entry = entries.get(object)
    if (!entry) return
    entries.delete(object)
    heldBytes -= entry.cost
    const { whole: wholeAnswer } = entry.answer
    if (wholeAnswer === movedAnswer || !wholeAnswer) return
    wholeAnswer.retire()
    if (wholeAnswer.file) openFileCount--
  }

  /**
   * Removes the entries with an open file that no request has used since the last call of this function. That
   * closes their files.
   */
  function closeIdleFiles(): void {
    for (const [object, entry] of [...entries]) {
      if (!entry.answer.whole?.file) continue
      if (!entry.isRecentlyUsed) removeEntry(object)
      entry.isRecentlyUsed = false
    }
    if (openFileCount === 0) stopIdleTimer()
  }

  function stopIdleTimer(): void {
    if (idleTimer) clearInterval(idleTimer)
    idleTimer = null
  }

  /** Evicts entries until one more entry of this `cost` fits. */
  function makeRoom(cost: number): void {
    while (heldBytes + cost > capacity) advanceHand()
  }

  /**
   * CLOCK eviction: the hand goes round over the entries, oldest first. An entry that was used since the hand
   * last passed it (`isReferenced`) stays, and its `isReferenced` is reset. Returns the number of bytes
   * freed. The iterator is kept between calls: a new one would first have to skip all entries that were
   * deleted since the engine last compacted the map.
   */
  function advanceHand(): number {
    let nextStep = clockHand.next()
    if (nextStep.done) {
      clockHand = entries.entries()
      nextStep = clockHand.next()
    }
    const [object, entry] = nextStep.value!
    if (!entry.isReferenced) {
      removeEntry(object)
      return entry.cost
    }
    entry.isReferenced = false
    return 0
  }

  return {
    /** Whether one more file, of this size, may stay open. */
    admitsFile: (size: number) =>
      isForSendfile(size) && capacity > 0 && openFileCount < maxOpenFiles && !isClosed,
    /**
     * Whether an object of this size should be read into memory. `isFile` says whether the object is a local
     * file. False if there is no room: answers that evict each other would cost more than sending from disk.
     * False also for objects that are too large, or are sent with `sendfile`.
     */
    admits(size: number, isFile: boolean) {
      if (isFile && isForSendfile(size)) return false
      const cost = size + ENTRY_OVERHEAD
      if (size > maxObjectSize || cost > capacity) return false
      const hasRoom = () => heldBytes + cost <= capacity
      if (hasRoom()) return true
      // Frees part of the needed space, so that answers that are no longer requested do not stay forever.
      bytesToFree = Math.min(bytesToFree + cost * FREED_SHARE, cost)
      for (let step = 0; step < MAX_EVICTION_STEPS && bytesToFree > 0 && !hasRoom(); step++)
        bytesToFree -= advanceHand()
      return hasRoom()
    },
    get(object: string) {
      const entry = entries.get(object)
      if (!entry) return undefined
      // Setting these two flags is cheap. Moving the entry to the end of the map at every request would not
      // be.
      entry.isReferenced = true
      entry.isRecentlyUsed = true
      return entry.answer
    },
    /**
     * Keeps an answer. If `capacity` is too small or `close` was called, drops the answer immediately and
     * closes its file; so a caller that is about to send the answer must call its `acquire` first.
     */
    put(object: string, answer: PreparedAnswer) {
      const previousAnswer = entries.get(object)?.answer.whole
      removeEntry(object, answer.whole)
      const { whole: wholeAnswer, size } = answer
      const cost = (wholeAnswer && !wholeAnswer.file ? size : 0) + ENTRY_OVERHEAD
      if (cost > capacity || isClosed) {
        wholeAnswer?.retire()
        return
      }
      makeRoom(cost)
      if (wholeAnswer?.file && wholeAnswer !== previousAnswer) {
        openFileCount++
        idleTimer ??= setInterval(closeIdleFiles, FILE_IDLE_TIME).unref()
      }
      entries.set(object, { answer, cost, isReferenced: false, isRecentlyUsed: true })
      heldBytes += cost
    },
    /** Drops all answers; later ones are not kept. */
    close() {
      isClosed = true
      stopIdleTimer()
      for (const object of [...entries.keys()]) removeEntry(object)
    },
  }
}
