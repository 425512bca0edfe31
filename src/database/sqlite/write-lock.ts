/** Begins write transactions on SQLite, whose lock lets only one connection at a time write. */

import { type Database as Connection, SQLiteError } from 'bun:sqlite'
import { attempt } from '../../base/attempt.ts'
import { DatabaseBusyError } from '../database.ts'

/**
 * Milliseconds that a transaction waits for the write lock if another process, such as a command, holds it;
 * and the pause between two attempts to take it.
 */
const BUSY_TIMEOUT = 10_000
const BUSY_PAUSE = 5

/**
 * Begins a transaction and takes the write lock immediately, so that no data that the transaction reads can
 * change before it writes. Does not use SQLite's busy handler, which would block the whole process, including
 * reads. Rejects with `DatabaseBusyError` after `busyTimeout` milliseconds.
 */
export async function beginImmediate(connection: Connection, busyTimeout = BUSY_TIMEOUT): Promise<void> {
  for (let waitTime = 0; ; waitTime += BUSY_PAUSE) {
    try {
      connection.query('begin immediate').run()
      return
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== 'SQLITE_BUSY') throw error
      if (waitTime >= busyTimeout)
        throw new DatabaseBusyError('another process has been writing for too long', { cause: error })
      await Bun.sleep(BUSY_PAUSE)
    }
  }
}

/**
 * Rolls back if a transaction is open. None is open if the lock was never taken, or if SQLite itself has
 * rolled back, as it does when the disk is full.
 */
export function rollBack(connection: Connection): void {
  // An error here is ignored: the caller reports the error that made the rollback necessary.
  attempt(() => connection.inTransaction && connection.run('rollback'))
}
