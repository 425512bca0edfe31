/**
 * Groups write transactions (`group-queue.ts`); the commit of a group is flushed once. Each transaction has a
 * savepoint of its own, except a long one: SQLite would keep a list of all pages changed since the savepoint,
 * and walk through it at each statement.
 *
 * Statements such as `savepoint` and `commit` are run with `query`, which caches the compiled statement;
 * `run` would compile it each time.
 */
import { type Database as Connection, SQLiteError } from 'bun:sqlite'
import { type Database, DatabaseUnflushedError, type Queries } from '../database.ts'
import { createGroupQueue, type TransactionOutcome } from '../group-queue.ts'
import type { WriteLog } from './log.ts'
import { beginImmediate, rollBack } from './write-lock.ts'

export interface GroupedTransactionsParts {
  connection: Connection
  tx: Queries
  onCommit: () => void
  /** Flushes and checkpoints the log. Without it, SQLite flushes each commit itself. */
  writeLog?: WriteLog
  busyTimeout?: number
}

export function createGroupedTransactions({
  connection,
  tx,
  onCommit,
  writeLog,
  busyTimeout,
}: GroupedTransactionsParts): Database['transaction'] {
  async function runInSavepoint(work: () => Promise<unknown>): Promise<TransactionOutcome> {
    connection.query('savepoint one').run()
    try {
      const value = await work()
      connection.query('release one').run()
      return { value }
    } catch (error) {
      // After some errors, such as disk errors, SQLite itself has rolled back the whole group.
      if (!connection.inTransaction) throw error
      connection.query('rollback to one').run()
      connection.query('release one').run()
      return { error }
    }
  }

  const { transaction } = createGroupQueue({
    async runGroup(runAll) {
      try {
        await beginImmediate(connection, busyTimeout)
        await runAll({ tx, runInSavepoint })
        writeLog?.beforeCommit()
        connection.query('commit').run()
        onCommit()
        await writeLog?.flush()
      } catch (error) {
        rollBack(connection)
        if (!writeLog || !isDiskError(error)) throw error
        writeLog.distrustLog(error)
        throw new DatabaseUnflushedError('the disk has failed', { cause: error, mayBeStored: true })
      }
    },
    refusalReason: () => writeLog?.blockingError(),
    afterGroup: () => writeLog?.checkpoint(),
  })
  return transaction
}

/**
 * Whether this is a write or flush error of the disk, which the kernel reports only once. A full disk is not
 * such an error: then nothing was written.
 */
const isDiskError = (error: unknown) =>
  error instanceof SQLiteError && (error.code ?? '').startsWith('SQLITE_IOERR')
