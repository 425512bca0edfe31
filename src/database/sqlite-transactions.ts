/**
 * Groups write transactions. Transactions that wait at the same time run one after the other, each in a savepoint of
 * its own, and are flushed to disk together: a flush costs a hundred times what the statements cost. No transaction
 * resolves before the flush.
 *
 * The statements around a transaction are run by `query`, which keeps them compiled; `run` would compile them each time.
 *
 * A long transaction runs alone, because transactions grouped with it would resolve only after it. It also runs without
 * a savepoint: for a savepoint SQLite would keep every changed page, and walk through that list at each statement.
 */
import { type Database as Connection, SQLiteError } from 'bun:sqlite'
import { type Database, DatabaseBusyError, DatabaseUnavailableError, type Queries } from './database.ts'
import type { WriteLog } from './sqlite-log.ts'

/** Milliseconds that a write waits for another process, such as a command, to finish writing; and between two tries. */
const BUSY_TIMEOUT = 10_000
const BUSY_PAUSE = 5

/** The maximum number of transactions that share one flush, so that no transaction waits for an endless queue. */
const GROUP_LIMIT = 64

interface Waiting {
  /** Shares its flush with no other transaction. */
  alone: boolean
  run(): Promise<void>
  settle(failed?: { error: unknown }): void
}

export interface GroupedTransactionsParts {
  connection: Connection
  tx: Queries
  onCommit: () => void
  /** Without it the commit itself flushes. */
  log?: WriteLog
  busyTimeout?: number
}

export function groupedTransactions({
  connection,
  tx,
  onCommit,
  log,
  busyTimeout = BUSY_TIMEOUT,
}: GroupedTransactionsParts): Database['transaction'] {
  const waiting: Waiting[] = []
  let draining = false

  async function drain(): Promise<void> {
    draining = true
    while (waiting.length > 0) {
      // Wait one turn of the event loop, so that other transactions that are ready can join the group.
      await new Promise(resolve => setImmediate(resolve))
      await runGroup(connection, waiting, { onCommit, log, busyTimeout })
      await log?.carryOver()
    }
    draining = false
  }

  return (work, { long: alone = false } = {}) =>
    new Promise((resolve, reject) => {
      let outcome: { value: Awaited<ReturnType<typeof work>> } | { error: unknown }
      waiting.push({
        alone,
        async run() {
          if (alone) {
            outcome = { value: await work(tx) }
            return
          }
          connection.query('savepoint one').run()
          try {
            outcome = { value: await work(tx) }
            connection.query('release one').run()
          } catch (error) {
            outcome = { error }
            connection.query('rollback to one').run()
            connection.query('release one').run()
          }
        },
        settle(failed) {
          const end = failed ?? outcome
          if ('error' in end) reject(end.error)
          else resolve(end.value)
        },
      })
      if (!draining) void drain()
    })
}

async function runGroup(
  connection: Connection,
  waiting: Waiting[],
  { onCommit, log, busyTimeout }: { onCommit: () => void; log: WriteLog | undefined; busyTimeout: number },
): Promise<void> {
  const group: Waiting[] = []
  let failed: { error: unknown } | undefined
  try {
    await begin(connection, busyTimeout)
    while (waiting.length > 0 && group.length < GROUP_LIMIT) {
      if (waiting[0]!.alone && group.length > 0) break
      const one = waiting.shift()!
      group.push(one)
      await one.run()
      if (one.alone) break
    }
    connection.query('commit').run()
    onCommit()
    await log?.flush().catch(cause => {
      throw new DatabaseUnavailableError('what was committed could not be flushed', { cause })
    })
  } catch (error) {
    failed = { error }
    rollBack(connection)
    if (group.length === 0) group.push(waiting.shift()!)
  }
  for (const one of group) one.settle(failed)
}

/**
 * Rolls back if necessary: after a full disk SQLite may already have rolled back, and without the lock or with a closed
 * database there is nothing to roll back.
 */
function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.run('rollback')
  } catch {
    // The error that made the rollback necessary is reported by the caller.
  }
}

/**
 * Takes the write lock at the beginning, so that data that a transaction has read cannot change before it writes. Waits
 * for the lock without SQLite's own busy handler, which would block the whole process, including reads.
 */
async function begin(connection: Connection, busyTimeout: number): Promise<void> {
  for (let waited = 0; ; waited += BUSY_PAUSE) {
    try {
      connection.query('begin immediate').run()
      return
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== 'SQLITE_BUSY') throw error
      if (waited >= busyTimeout)
        throw new DatabaseBusyError('another process has been writing for too long', { cause: error })
      await Bun.sleep(BUSY_PAUSE)
    }
  }
}
