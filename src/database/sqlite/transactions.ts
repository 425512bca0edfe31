/**
 * Groups write transactions. Transactions that wait at the same time run one after the other, each in a
 * savepoint of its own, and are flushed to disk together: a flush costs a hundred times what the statements
 * cost. No transaction resolves before the flush.
 *
 * The statements around a transaction are run by `query`, which keeps them compiled; `run` would compile them
 * each time.
 *
 * A long transaction runs alone, because transactions grouped with it would resolve only after it. It also
 * runs without a savepoint: for a savepoint SQLite would keep every changed page, and walk through that list
 * at each statement.
 */
import { type Database as Connection, SQLiteError } from 'bun:sqlite'
import { type Database, DatabaseUnflushedError, type Queries } from '../database.ts'
import type { WriteLog } from './log.ts'
import { beginImmediate, rollBack } from './write-lock.ts'

/**
 * The maximum number of transactions that share one flush, so that no transaction waits for an endless queue.
 */
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
  busyTimeout,
}: GroupedTransactionsParts): Database['transaction'] {
  const waiting: Waiting[] = []
  let draining = false

  async function drain(): Promise<void> {
    draining = true
    while (waiting.length > 0) {
      // Wait one turn of the event loop, so that other transactions that are ready can join the group.
      await new Promise(resolve => setImmediate(resolve))
      const trouble = log?.trouble()
      if (trouble) {
        for (const one of waiting.splice(0)) one.settle({ error: trouble })
        continue
      }
      await runGroup(connection, waiting, { onCommit, log, busyTimeout })
      await log?.checkpoint()
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
  {
    onCommit,
    log,
    busyTimeout,
  }: { onCommit: () => void; log: WriteLog | undefined; busyTimeout: number | undefined },
): Promise<void> {
  const group: Waiting[] = []
  let failed: { error: unknown } | undefined
  try {
    await beginImmediate(connection, busyTimeout)
    while (waiting.length > 0 && group.length < GROUP_LIMIT) {
      if (waiting[0]!.alone && group.length > 0) break
      const one = waiting.shift()!
      group.push(one)
      await one.run()
      if (one.alone) break
    }
    log?.beforeCommit()
    connection.query('commit').run()
    onCommit()
    await log?.flush()
  } catch (error) {
    rollBack(connection)
    failed = { error }
    if (log && isDiskError(error)) {
      log.distrust(error)
      failed.error = new DatabaseUnflushedError('the disk has failed', { cause: error, mayBeStored: true })
    }
    if (group.length === 0) group.push(waiting.shift()!)
  }
  for (const one of group) one.settle(failed)
}

/**
 * An error of writing or flushing, which the kernel reports only once. Not a full disk: nothing was written
 * then.
 */
const isDiskError = (error: unknown) =>
  error instanceof SQLiteError && (error.code ?? '').startsWith('SQLITE_IOERR')
