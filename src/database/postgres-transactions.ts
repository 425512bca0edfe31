/**
 * Groups write transactions, as `sqlite-transactions.ts` does. One lock orders the transactions of all processes, and is
 * taken first. So they behave as if they ran one after the other, and none ever has to be begun again: with a conflict
 * check at the end of each (SERIALIZABLE) most of them were, a tenth as many per second. Transactions that wait for the
 * lock together run under it one after the other, each in a savepoint, and are committed together.
 *
 * Nothing is begun again once COMMIT was sent: it may have been carried out. Whoever called gets an error that says that
 * the outcome is not known.
 */
import { type Database, DatabaseUnavailableError, type Queries } from './database.ts'
import { kyselyOnPostgres } from './postgres-dialect.ts'
import type { PostgresPool, Reserved } from './postgres-pool.ts'

/** The number of the lock; one of our own in the operator's database server, for each database of it. */
export const WRITE_LOCK = 0x46756e64

/** Milliseconds that a transaction waits for those of other processes. */
const LOCK_TIMEOUT = 7_000

/** The maximum number of transactions that are committed together, so that no transaction waits for an endless queue. */
const GROUP_LIMIT = 64

type Outcome = { value: unknown } | { error: unknown }

interface Waiting {
  /** Is committed with no other transaction. */
  alone: boolean
  work(tx: Queries): Promise<unknown>
  settle(outcome: Outcome): void
}

export interface PostgresTransactions {
  transaction: Database['transaction']
  /** Resolves when all transactions that were called before have ended. */
  settled(): Promise<void>
}

export function postgresTransactions(pool: PostgresPool): PostgresTransactions {
  const waiting: Waiting[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // Wait one turn of the event loop, so that other transactions that are ready can join the group.
      await new Promise(resolve => setImmediate(resolve))
      await runGroup(pool, waiting)
    }
    draining = undefined
  }

  return {
    transaction: (work, { long: alone = false } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({
          alone,
          work,
          settle(outcome) {
            if ('error' in outcome) reject(outcome.error)
            else resolve(outcome.value as Awaited<ReturnType<typeof work>>)
          },
        })
        draining ??= drain()
      }),
    async settled() {
      await draining
    },
  }
}

async function runGroup(pool: PostgresPool, waiting: Waiting[]): Promise<void> {
  const group: { one: Waiting; outcome: Outcome }[] = []
  let failed: { error: unknown } | undefined
  let connection: Reserved | undefined
  try {
    connection = await pool.reserve(waiting[0]!.alone ? 'long' : 'short')
    await begin(connection)
    const tx = kyselyOnPostgres(connection.run)
    while (waiting.length > 0 && group.length < GROUP_LIMIT) {
      if (waiting[0]!.alone && group.length > 0) break
      const one = waiting.shift()!
      const entry = { one, outcome: { error: new Error('not run') } as Outcome }
      group.push(entry)
      entry.outcome = one.alone
        ? { value: await one.work(tx) }
        : await inSavepoint(connection, () => one.work(tx))
      if (one.alone) break
    }
    await commit(connection)
  } catch (error) {
    failed = { error }
    await connection?.run('rollback').catch(() => {})
    if (group.length === 0) group.push({ one: waiting.shift()!, outcome: failed })
  } finally {
    connection?.release()
  }
  for (const { one, outcome } of group) one.settle(failed ?? outcome)
}

/** The statements are sent without waiting for each other's answers: the server works on them in this order. */
async function begin({ run }: Reserved): Promise<void> {
  await Promise.all([
    run('begin isolation level read committed'),
    run(`set local lock_timeout = ${LOCK_TIMEOUT}`),
    run(`select pg_advisory_xact_lock(${WRITE_LOCK})`),
  ])
}

async function inSavepoint({ run }: Reserved, work: () => Promise<unknown>): Promise<Outcome> {
  const begun = run('savepoint one')
  // The answer is waited for below; until then an error of it must not count as one that nobody handles.
  begun.catch(() => {})
  try {
    const value = await work()
    await Promise.all([begun, run('release one')])
    return { value }
  } catch (error) {
    // Throws where the connection is lost: then the whole group has failed.
    await Promise.all([begun, run('rollback to one'), run('release one')])
    return { error }
  }
}

async function commit({ run }: Reserved): Promise<void> {
  try {
    await run('commit')
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error
    throw new DatabaseUnavailableError('whether the transaction is stored is not known', { cause: error })
  }
}
