/**
 * Groups write transactions (`group-queue.ts`). One lock orders the transactions of all processes, and is
 * taken first. So they behave as if they ran one after the other, and none ever has to be begun again: with a
 * conflict check at the end of each (SERIALIZABLE) most of them were, a tenth as many per second.
 * Transactions that wait for the lock together run under it one after the other, each in a savepoint, and are
 * committed together.
 *
 * The lock is held for as many round trips to the server as the group waits for. So nothing is waited for
 * that nobody has to know before the next statement: the answers to all savepoints are looked at together
 * with that to COMMIT.
 *
 * Nothing is begun again once COMMIT was sent: it may have been carried out. When its answer is lost, the
 * next holder of the lock looks for the outcome, and the callers get that. Only when nobody can look do they
 * get an error that says that the outcome is not known.
 */
import { DatabaseBusyError, DatabaseUnavailableError } from '../database.ts'
import { createGroupQueue, type GroupQueue, type Outcome, type Waiting } from '../group-queue.ts'
import { kyselyOnPostgres } from './dialect.ts'
import { isCommitted, type Locked, type TransactionId, takeLock } from './lock.ts'
import type { Pace, PostgresPool, Reserved } from './pool.ts'

/**
 * Milliseconds of waiting after which a transaction fails with the attempt before it, because the database
 * did not answer that one in time. Together with the deadline of its own attempt it stays below the 10
 * seconds that a client waits for.
 */
const WAITED_LONG = 1_500

/** Milliseconds for looking whether a COMMIT without an answer was carried out, and between two tries. */
const OUTCOME_PATIENCE = 5_000
const OUTCOME_PAUSE = 250

interface TransactionsParts {
  /** Called with what the server's clock shows when a transaction begins. */
  clockSeen: (at: number) => void
  /** Counts milliseconds. */
  clock?: () => number
}

export function postgresTransactions(pool: PostgresPool, parts: TransactionsParts): GroupQueue {
  const { clockSeen, clock = () => performance.now() } = parts
  return createGroupQueue({
    clock,
    async runGroup(runAll, isLong) {
      const pace = isLong ? 'long' : 'short'
      const connection = await pool.reserve(pace)
      try {
        const under = transactionOn(connection, pace)
        clockSeen((await under.begin()).clock)
        await runAll(under)
        await commit(pool, under)
      } catch (error) {
        await connection.run('rollback').catch(() => {})
        throw error
      } finally {
        connection.release()
      }
    },
    onFailure: (error, waiting) => failTogether(waiting, error, clock() - WAITED_LONG),
  })
}

/**
 * Those who wait since `before` fail with the attempt that failed: each by itself would wait as long once
 * more.
 */
function failTogether(waiting: Waiting[], error: unknown, before: number): void {
  if (!(error instanceof DatabaseUnavailableError || error instanceof DatabaseBusyError)) return
  const late = waiting.findIndex(({ since }) => since > before)
  const failed =
    error instanceof DatabaseBusyError
      ? error
      : new DatabaseUnavailableError('the transaction before this one was not answered', { cause: error })
  for (const one of waiting.splice(0, late < 0 ? waiting.length : late)) one.settle({ error: failed })
}

/** Commits, and looks for the outcome when the answer is lost. */
async function commit(pool: PostgresPool, under: PostgresTransaction): Promise<void> {
  try {
    await under.commit()
  } catch (error) {
    // Any other error is an answer of the server, which has stored nothing.
    if (!(error instanceof DatabaseUnavailableError)) throw error
    const stored = await lookForOutcome(pool, under.id())
    if (stored) return
    throw stored === false
      ? new DatabaseUnavailableError('the transaction was not stored', { cause: error })
      : new DatabaseUnavailableError('whether the transaction is stored is not known', {
          cause: error,
          mayBeStored: true,
        })
  }
}

/** Null when the database cannot be asked, or can no longer tell. */
async function lookForOutcome(pool: PostgresPool, id: TransactionId): Promise<boolean | null> {
  const end = performance.now() + OUTCOME_PATIENCE
  for (;;) {
    try {
      const { run, release } = await pool.reserve('short')
      try {
        return await isCommitted(run, id)
      } finally {
        release()
      }
    } catch {
      if (performance.now() > end) return null
      await Bun.sleep(OUTCOME_PAUSE)
    }
  }
}

type PostgresTransaction = ReturnType<typeof transactionOn>

/** The transaction that a group shares. */
function transactionOn({ run, runTemplate }: Reserved, pace: Pace) {
  const unanswered: Promise<unknown>[] = []
  let taken: Locked | undefined
  /** The first error of a statement since the last savepoint. */
  let broken: { error: unknown } | undefined

  /** For a statement that was sent, and whose answer `answered` waits for. */
  function sent(answer: Promise<unknown>): void {
    // Until it is awaited, an error must not be reported as an unhandled rejection.
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

    async begin(): Promise<Locked> {
      send(tag => tag`begin isolation level read committed`)
      const taking = takeLock(run, pace)
      sent(taking)
      await answered()
      taken = await taking
      return taken
    },

    /** Of the transaction that was begun. */
    id: () => taken!,

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

    /**
     * Where an earlier statement has failed, PostgreSQL answers to COMMIT as if all were well, and stores
     * nothing.
     */
    async commit(): Promise<void> {
      send(tag => tag`commit`)
      await answered()
    },
  }
}
