/**
 * Notices that committed changes are gone because SQLite's log (`-wal`) was deleted after a crash, or because
 * an older database file was put in its place: SQLite considers the remaining files to be the whole database.
 * A number in the database (`user_version`) is raised now and then, and a copy of it, the high-water mark, is
 * in a separate file. The copy is written only after the number was flushed, so whatever a crash leaves, the
 * copy may lag behind the database but is never ahead.
 */
import type { Database as Connection } from 'bun:sqlite'
import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, writeSync } from 'node:fs'
import { longPath } from '../../storage/local/platform.ts'
import { HIGH_WATER_SUFFIX, LOST_CHANGES_SUFFIX } from './file.ts'

/** Milliseconds between two raises within one log, because the number has only 31 bits. */
const RAISE_INTERVAL = 5_000

/** Position of the salts in the log's header, which change each time the log restarts. */
const SALTS_RANGE = { position: 16, length: 8 } as const

/** Bytes of the file: a fixed length, so that a torn write is recognised. */
const MARK_BYTES = 10

export function openHighWater(file: string, writer: Connection, log: number) {
  const markFile = longPath(file + HIGH_WATER_SUFFIX)
  let raisedAt = Number.NEGATIVE_INFINITY
  let isRaised = false
  let lastTotalChanges = 0
  let salts = Buffer.alloc(SALTS_RANGE.length)

  /**
   * Whether the log is still the same one: another process may have checkpointed it, so that the counted
   * changes are no longer in it.
   */
  function isSameLog(): boolean {
    const currentSalts = Buffer.alloc(SALTS_RANGE.length)
    readSync(log, currentSalts, 0, SALTS_RANGE.length, SALTS_RANGE.position)
    const isUnchanged = currentSalts.equals(salts)
    salts = currentSalts
    return isUnchanged
  }

  return {
    /** Raises the number, in a transaction that is about to be committed. */
    raise() {
      if (isSameLog() && performance.now() - raisedAt < RAISE_INTERVAL) return
      const { changes } = writer.query<{ changes: number }, []>('select total_changes() as changes').get()!
      // A transaction that changes nothing writes nothing, even on a full disk.
      if (changes === lastTotalChanges) return
      lastTotalChanges = changes
      writer.run(`pragma user_version = ${userVersionOf(writer) + 1}`)
      raisedAt = performance.now()
      isRaised = true
    },
    /** Called after a commit and before its flush. Returns a function to be called after the flush. */
    committed() {
      if (!isRaised) return () => {}
      isRaised = false
      const number = userVersionOf(writer)
      return () => writeMark(markFile, number)
    },
    /** Called when the log is checkpointed: the next change begins a new log, and raises the number. */
    renew() {
      raisedAt = Number.NEGATIVE_INFINITY
    },
  }
}

/**
 * Called after opening the database: leaves a marker file if changes are lost, which stays until the operator
 * removes it.
 */
export function noteLostChanges(file: string, connection: Connection): void {
  const mark = longPath(file + HIGH_WATER_SUFFIX)
  // Reads the copy before the number: another process may raise both meanwhile.
  const markText = existsSync(mark) ? readFileSync(mark, 'utf8') : ''
  const isComplete = markText.length === MARK_BYTES && /^\d+$/.test(markText)
  if (isComplete && Number(markText) > userVersionOf(connection))
    renameSync(mark, longPath(file + LOST_CHANGES_SUFFIX))
}

/** The path of the marker file for lost changes; null if it does not exist. */
export const lostChangesOf = (file: string): string | null =>
  existsSync(longPath(file + LOST_CHANGES_SUFFIX)) ? file + LOST_CHANGES_SUFFIX : null

const userVersionOf = (connection: Connection): number =>
  connection.query<{ user_version: number }, []>('pragma user_version').get()!.user_version

/**
 * Writes the mark without flushing it, which would cost more than it is worth. A failed write only makes the
 * mark lag behind.
 */
function writeMark(markFile: string, number: number): void {
  try {
    // The file is overwritten and never truncated, so that the mark always exists.
    const descriptor = openSync(markFile, existsSync(markFile) ? 'r+' : 'w')
    try {
      writeSync(descriptor, String(number).padStart(MARK_BYTES, '0'), 0)
    } finally {
      closeSync(descriptor)
    }
  } catch {}
}
