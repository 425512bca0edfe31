/**
 * Groups write transactions, as `sqlite-transactions.ts` does. One lock orders the transactions of all processes, and is
 * taken first. So they behave as if they ran one after the other, and none ever has to be begun again: with a conflict
 * check at the end of each (SERIALIZABLE) most of them were, a tenth as many per second. Transactions that wait for the
 * lock together run under it one after the other, each in a savepoint, and are committed together.
 *
 * The lock is held for as many round trips to the server as the group waits for. So nothing is waited for that nobody has
 * to know before the next statement: the answers to all savepoints are looked at together with that to COMMIT.
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

/** One statement for every group: the inner part is carried out first, so the lock is waited for with the time limit. */
const TAKE_LOCK = `with limited as materialized (select set_config('lock_timeout', $1, true))
  select pg_advisory_xact_lock($2) from limited`

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
    const under = transactionOn(connection)
    await under.begin()
    while (waiting.length > 0 && group.length < GROUP_LIMIT) {
      if (waiting[0]!.alone && group.length > 0) break
      const one = waiting.shift()!
      const entry = { one, outcome: { error: new Error('not run') } as Outcome }
      group.push(entry)
      entry.outcome = one.alone
        ? { value: await one.work(under.tx) }
        : await under.inSavepoint(() => one.work(under.tx))
      if (one.alone) break
    }
    await under.commit()
  } catch (error) {
    failed = { error }
    await connection?.run('rollback').catch(() => {})
    if (group.length === 0) group.push({ one: waiting.shift()!, outcome: failed })
  } finally {
    connection?.release()
  }
  for (const { one, outcome } of group) one.settle(failed ?? outcome)
}

/** The transaction that a group shares. */
function transactionOn({ run, runTemplate }: Reserved) {
  const unanswered: Promise<unknown>[] = []
  /** The first error of a statement since the last savepoint. */
  let broken: { error: unknown } | undefined

  /** For a statement that was sent, and whose answer `answered` waits for. */
  function sent(answer: Promise<unknown>): void {
    // Until it is waited for, an error must not count as one that nobody handles.
    answer.catch(() => {})
    unanswered.push(answer)
  }
  const send = (statement: Parameters<typeof runTemplate>[0]) => sent(runTemplate(statement))
  const answered = () => Promise.all(unanswered.splice(0))

  return {
    tx: kyselyOnPostgres(async (...statement) => {
      try {
        return await run(...statement)
      } catch (error) {
        broken ??= { error }
        throw error
      }
    }),

    async begin(): Promise<void> {
      send(tag => tag`begin isolation level read committed`)
      sent(run(TAKE_LOCK, [String(LOCK_TIMEOUT), WRITE_LOCK]))
      await answered()
    },

    async inSavepoint(work: () => Promise<unknown>): Promise<Outcome> {
      broken = undefined
      send(tag => tag`savepoint one`)
      try {
        const value = await work()
        // PostgreSQL carries out nothing more after an error, even if the work has caught it.
        if (broken) throw (broken as { error: unknown }).error
        send(tag => tag`release one`)
        return { value }
      } catch (error) {
        send(tag => tag`rollback to one`)
        send(tag => tag`release one`)
        // Throws where the connection is lost: then the whole group has failed.
        await answered()
        return { error }
      }
    },

    /** Where an earlier statement has failed, PostgreSQL answers to COMMIT as if all were well, and stores nothing. */
    async commit(): Promise<void> {
      send(tag => tag`commit`)
      try {
        await answered()
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error
        throw new DatabaseUnavailableError('whether the transaction is stored is not known', { cause: error })
      }
    },
  }
}
