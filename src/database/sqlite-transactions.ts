/**
 * Transactions that wait at the same time are run one after the other, each in a savepoint of its own, and flushed
 * to disk together: a flush costs a hundred times what the statements cost. None is answered before the flush.
 *
 * A long one goes alone: those grouped with it would be answered only after it. It also goes without a savepoint, for
 * which SQLite would keep every page it changes, and walk through that list at each statement.
 */
import { type Database as Connection, SQLiteError } from 'bun:sqlite'
import type { Database, Queries } from './database.ts'

/** How long a write waits for another process, such as the command line, to finish writing; and how often it asks. */
const BUSY_TIMEOUT = 10_000
const BUSY_PAUSE = 5

/** Transactions that share one flush at the most, so that none waits for an endless queue. */
const GROUP_LIMIT = 64

interface Waiting {
  /** Shares its flush with nobody. */
  alone: boolean
  run(): Promise<void>
  settle(failed?: { error: unknown }): void
}

export interface GroupedTransactionsParts {
  connection: Connection
  tx: Queries
  onCommit: () => void
}

export function groupedTransactions({
  connection,
  tx,
  onCommit,
}: GroupedTransactionsParts): Database['transaction'] {
  const waiting: Waiting[] = []
  let draining = false

  async function drain(): Promise<void> {
    draining = true
    while (waiting.length > 0) {
      // A turn of the event loop, in which others that are ready can join.
      await new Promise(resolve => setImmediate(resolve))
      await runGroup(connection, waiting, onCommit)
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
          connection.run('savepoint one')
          try {
            outcome = { value: await work(tx) }
            connection.run('release one')
          } catch (error) {
            outcome = { error }
            connection.run('rollback to one')
            connection.run('release one')
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

async function runGroup(connection: Connection, waiting: Waiting[], onCommit: () => void): Promise<void> {
  const group: Waiting[] = []
  let failed: { error: unknown } | undefined
  try {
    await begin(connection)
    while (waiting.length > 0 && group.length < GROUP_LIMIT) {
      if (waiting[0]!.alone && group.length > 0) break
      const one = waiting.shift()!
      group.push(one)
      await one.run()
      if (one.alone) break
    }
    connection.run('commit')
    onCommit()
  } catch (error) {
    failed = { error }
    rollBack(connection)
    if (group.length === 0) group.push(waiting.shift()!)
  }
  for (const one of group) one.settle(failed)
}

/** A full disk may already have rolled back, and a lock that was not had or a closed database leaves nothing to. */
function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.run('rollback')
  } catch {
    // What made this necessary is told; there is nothing more to say.
  }
}

/**
 * Takes the write lock at once: what a transaction reads cannot change before it writes. Waits for it without SQLite's
 * own busy handler, which would stop the whole process, reads included.
 */
async function begin(connection: Connection): Promise<void> {
  for (let waited = 0; ; waited += BUSY_PAUSE) {
    try {
      connection.run('begin immediate')
      return
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== 'SQLITE_BUSY' || waited >= BUSY_TIMEOUT)
        throw error
      await Bun.sleep(BUSY_PAUSE)
    }
  }
}
