/**
 * Notices that committed changes are lost because SQLite's log (`-wal`) was deleted after a crash, or because
 * the database file was replaced by an older one; SQLite itself cannot notice that. A number in the database
 * (`user_version`) is raised from time to time, and a copy of it, the high-water mark, is stored in a
 * separate file. The mark is written only after the number was flushed. So after any crash the mark may be
 * lower than the number, but never higher, unless changes are lost.
 */
import type { Database as Connection } from 'bun:sqlite'
import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, writeSync } from 'node:fs'
import { longPath } from '../../storage/local/platform.ts'
import { HIGH_WATER_SUFFIX, LOST_CHANGES_SUFFIX } from './file.ts'

/**
 * Minimum milliseconds between two increases of the number, except when the log restarts. The limit is needed
 * because the number has only 31 bits.
 */
const MIN_INCREASE_INTERVAL = 5_000

/** Position and length in bytes of the salts in the log's header, which change each time the log restarts. */
const SALTS_RANGE = { position: 16, length: 8 } as const

/** Length of the mark's file in bytes: fixed, so that an incomplete write is recognised. */
const MARK_FILE_SIZE = 10

export function openHighWaterMark(file: string, writer: Connection, logDescriptor: number) {
  const markFile = longPath(file + HIGH_WATER_SUFFIX)
  let raisedAt = Number.NEGATIVE_INFINITY
  let isNumberRaised = false
  let totalChangesAtRaise = 0
  let saltsAtLastCall = Buffer.alloc(SALTS_RANGE.length)

  /**
   * Whether the log was not restarted since the last call. It restarts if another process has checkpointed
   * it, and then no longer contains our last raise of the number.
   */
  function isSameLog(): boolean {
    const currentSalts = Buffer.alloc(SALTS_RANGE.length)
    readSync(logDescriptor, currentSalts, 0, SALTS_RANGE.length, SALTS_RANGE.position)
    const isUnchanged = currentSalts.equals(saltsAtLastCall)
    saltsAtLastCall = currentSalts
    return isUnchanged
  }

  return {
    /**
     * Called in a transaction that is about to be committed. Raises the number if the log was restarted since
     * the last call or the number was not raised for `RAISE_INTERVAL`, unless nothing was changed since the
     * last raise.
     */
    raiseNumber() {
      if (isSameLog() && performance.now() - raisedAt < MIN_INCREASE_INTERVAL) return
      const { changes } = writer.query<{ changes: number }, []>('select total_changes() as changes').get()!
      // A transaction that changes nothing must not write, so that it also succeeds on a full disk.
      if (changes === totalChangesAtRaise) return
      totalChangesAtRaise = changes
      writer.run(`pragma user_version = ${userVersionOf(writer) + 1}`)
      raisedAt = performance.now()
      isNumberRaised = true
    },
    /**
     * Called after a commit and before its flush. Returns a function that must be called after the flush: it
     * writes the mark if the number was raised.
     */
    onCommit() {
      if (!isNumberRaised) return () => {}
      isNumberRaised = false
      const userVersion = userVersionOf(writer)
      return () => writeMarkFile(markFile, userVersion)
    },
    /**
     * Called before the log is checkpointed: the next change restarts the log, so it must raise the number.
     */
    onCheckpoint() {
      raisedAt = Number.NEGATIVE_INFINITY
    },
  }
}

/**
 * Called after opening the database. If changes are lost, the file of the high-water mark is renamed and
 * thereby becomes the marker file, which stays until the operator accepts the loss.
 */
export function markLostChanges(file: string, connection: Connection): void {
  const markFile = longPath(file + HIGH_WATER_SUFFIX)
  // The mark is read before `user_version`: if another process raises both in between, the mark read here is
  // too low, never falsely ahead.
  const markText = existsSync(markFile) ? readFileSync(markFile, 'utf8') : ''
  const isMarkComplete = markText.length === MARK_FILE_SIZE && /^\d+$/.test(markText)
  if (isMarkComplete && Number(markText) > userVersionOf(connection))
    renameSync(markFile, longPath(file + LOST_CHANGES_SUFFIX))
}

/** The path of the marker file that says that changes are lost; null if it does not exist. */
export const lostChangesMarker = (file: string): string | null =>
  existsSync(longPath(file + LOST_CHANGES_SUFFIX)) ? file + LOST_CHANGES_SUFFIX : null

const userVersionOf = (connection: Connection): number =>
  connection.query<{ user_version: number }, []>('pragma user_version').get()!.user_version

/**
 * Writes the mark. Flushing it would cost more than it is worth: if the write is lost, the mark only lags
 * behind.
 */
function writeMarkFile(markFile: string, userVersion: number): void {
  try {
    // The file is overwritten and never truncated, so that the mark always exists.
    const descriptor = openSync(markFile, existsSync(markFile) ? 'r+' : 'w')
    try {
      writeSync(descriptor, String(userVersion).padStart(MARK_FILE_SIZE, '0'), 0)
    } finally {
      closeSync(descriptor)
    }
  } catch {}
}
