/**
 * Groups write transactions (`group-queue.ts`). Each group first takes the write lock, which all processes
 * share, so transactions run one after the other and never need a retry. (Under SERIALIZABLE most of them
 * were retried, and throughput was a tenth.) The transactions of a group run one by one, each in a savepoint,
 * and share one COMMIT. A long transaction is a group by itself, without a savepoint.
 *
 * Other processes wait for the lock during every round trip of the group. So the group waits only for answers
 * that the next statement needs. The answers to statements about savepoints are checked later: together with
 * the answer to COMMIT, or when a transaction of the group fails.
 *
 * Nothing is retried once COMMIT was sent, because the server may have executed it. If the answer to COMMIT
 * is lost, this process takes the lock again and looks up the outcome. If that fails, the callers get an
 * error saying that the outcome is unknown.
 */
import { withTimeout } from '../../base/time-limit.ts'
import { DatabaseBusyError, DatabaseUnavailableError } from '../database.ts'
import {
  createGroupQueue,
  type GroupQueue,
  type TransactionOutcome,
  type WaitingTransaction,
} from '../group-queue.ts'
import { kyselyOnPostgres } from './dialect.ts'
import { isCommitted, type LockedTransaction, type TransactionId, takeLock } from './lock.ts'
import type { DeadlineKind, PostgresPool, ReservedConnection } from './pool.ts'

type Pool = Pick<PostgresPool, 'reserve'>

/**
 * A transaction that has waited for longer than these milliseconds fails together with the group before it,
 * if that group failed because the database was busy or did not answer in time. A transaction that has waited
 * less is run, because its wait and its own attempt together stay below the 10 seconds that a client waits.
 */
const MAX_WAIT_BEFORE_RUN = 1_500

/**
 * Milliseconds since the group began within which we find out whether an unanswered COMMIT was executed, so
 * that its clients get an answer within 10 seconds.
 */
const COMMIT_LOOKUP_DEADLINE = 7_000
/**
 * Minimum milliseconds for finding out the outcome of an unanswered COMMIT, by kind of transaction, even if
 * `COMMIT_LOOKUP_DEADLINE` is near or over; and the pause between two attempts.
 */
const MIN_COMMIT_LOOKUP_TIME = { short: 1_000, long: 5_000 } as const
const COMMIT_LOOKUP_PAUSE = 250

interface TransactionsParts {
  /** Called when a group has the write lock, with the server's time in Unix milliseconds. */
  noteServerClock: (serverTime: number) => void
  /** A monotonic clock in milliseconds. */
  clock?: () => number
}

export function postgresTransactions(pool: Pool, parts: TransactionsParts): GroupQueue {
  const { noteServerClock, clock = () => performance.now() } = parts
  return createGroupQueue({
    clock,
    async runGroup(runAll, isLong) {
      const kind = isLong ? 'long' : 'short'
      const begunAt = clock()
      const findOutcome = (id: TransactionId) => {
        const timeLeft = begunAt + COMMIT_LOOKUP_DEADLINE - clock()
        return lookUpCommitOutcome(pool, id, Math.max(timeLeft, MIN_COMMIT_LOOKUP_TIME[kind]))
      }
      using connection = await pool.reserve(kind)
      try {
        const transaction = createGroupTransaction(connection, kind)
        noteServerClock((await transaction.begin()).clock)
        await runAll(transaction)
        await commit(transaction, findOutcome)
      } catch (error) {
        await connection.run('rollback').catch(() => {})
        throw error
      }
    },
    onFailure: (error, queue) => failLongWaitingTransactions(queue, error, clock() - MAX_WAIT_BEFORE_RUN),
  })
}

/**
 * If a group failed because the database was busy or did not answer, fails the waiting transactions that were
 * requested at `maxCalledAt` or earlier: their own attempts would take as long again.
 */
function failLongWaitingTransactions(
  waitingTransactions: WaitingTransaction[],
  error: unknown,
  maxCalledAt: number,
): void {
  if (!(error instanceof DatabaseUnavailableError || error instanceof DatabaseBusyError)) return
  const firstLaterIndex = waitingTransactions.findIndex(({ calledAt }) => calledAt > maxCalledAt)
  const failure =
    error instanceof DatabaseBusyError
      ? error
      : new DatabaseUnavailableError('the transaction before this one was not answered', { cause: error })
  for (const waitingTransaction of waitingTransactions.splice(
    0,
    firstLaterIndex < 0 ? waitingTransactions.length : firstLaterIndex,
  ))
    waitingTransaction.settle({ error: failure })
}

/** Commits. If the answer to COMMIT is lost, looks up whether the transaction was stored. */
async function commit(
  transaction: PostgresTransaction,
  findOutcome: (id: TransactionId) => Promise<boolean | null>,
): Promise<void> {
  try {
    await transaction.commit()
  } catch (error) {
    // Any other error is an answer of the server, which has stored nothing.
    if (!(error instanceof DatabaseUnavailableError)) throw error
    const isStored = await findOutcome(transaction.id())
    if (isStored) return
    throw isStored === false
      ? new DatabaseUnavailableError('the transaction was not stored', { cause: error })
      : new DatabaseUnavailableError('whether the transaction is stored is not known', {
          cause: error,
          mayBeStored: true,
        })
  }
}

/**
 * Whether the transaction was stored; null if the database cannot be reached within these milliseconds or no
 * longer knows the outcome.
 */
async function lookUpCommitOutcome(
  pool: Pool,
  id: TransactionId,
  timeLimit: number,
): Promise<boolean | null> {
  const deadline = performance.now() + timeLimit
  async function attempt(): Promise<boolean | null> {
    using connection = await pool.reserve('short')
    return await isCommitted(connection.run, id)
  }
  for (;;) {
    try {
      return await withTimeout(deadline - performance.now(), attempt(), () => null)
    } catch {
      if (performance.now() > deadline) return null
      await Bun.sleep(COMMIT_LOOKUP_PAUSE)
    }
  }
}

type PostgresTransaction = ReturnType<typeof createGroupTransaction>

/** Creates the PostgreSQL transaction in which all transactions of a group run. */
function createGroupTransaction({ run, runTemplate }: ReservedConnection, kind: DeadlineKind) {
  const unansweredStatements: Promise<unknown>[] = []
  let lockedTransaction: LockedTransaction | undefined
  /** The first error of a statement since the last rollback to a savepoint; undefined if none has failed. */
  let statementError: { error: unknown } | undefined

  /** Adds an answer that has not arrived yet to those for which `awaitAllAnswers` waits. */
  function addUnanswered(answer: Promise<unknown>): void {
    // `awaitAllAnswers` gets the error later; until then it must not count as an unhandled rejection.
    answer.catch(() => {})
    unansweredStatements.push(answer)
  }
  /**
   * Throws if a statement has failed, even if the work has caught the error: after an error PostgreSQL
   * executes no further statement of the transaction until a rollback.
   */
  function throwStatementError(): void {
    if (statementError) throw statementError.error
  }
  const send = (statement: Parameters<typeof runTemplate>[0]) => addUnanswered(runTemplate(statement))
  const awaitAllAnswers = () => Promise.all(unansweredStatements.splice(0))

  return {
    tx: kyselyOnPostgres(async (...statement) => {
      try {
        return await run(...statement)
      } catch (error) {
        statementError ??= { error }
        throw error
      }
    }),

    async begin(): Promise<LockedTransaction> {
      send(tag => tag`begin isolation level read committed`)
      const lockPromise = takeLock(run, kind)
      addUnanswered(lockPromise)
      await awaitAllAnswers()
      lockedTransaction = await lockPromise
      return lockedTransaction
    },

    /** The id of the PostgreSQL transaction, which is known once `begin` has resolved. */
    id: () => lockedTransaction!,

    async runInSavepoint(work: () => Promise<unknown>): Promise<TransactionOutcome> {
      send(tag => tag`savepoint one`)
      try {
        const value = await work()
        throwStatementError()
        send(tag => tag`release one`)
        return { value }
      } catch (error) {
        statementError = undefined
        send(tag => tag`rollback to one`)
        send(tag => tag`release one`)
        // Throws if the connection is lost, so that the whole group fails.
        await awaitAllAnswers()
        return { error }
      }
    },

    /**
     * Rejects also if an earlier statement, such as the release of a savepoint, has failed: PostgreSQL then
     * still confirms COMMIT, although it stores nothing.
     */
    async commit(): Promise<void> {
      throwStatementError()
      send(tag => tag`commit`)
      await awaitAllAnswers()
    },
  }
}
