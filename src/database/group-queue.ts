/**
 * The queue of write transactions, for both engines. Transactions that wait at the same time form a group:
 * they run one after the other and are committed together, since a commit costs a hundred times as much as
 * the statements of a transaction. No transaction resolves before its group is committed.
 *
 * A long transaction is a group by itself, because others in its group would resolve only after it.
 */
import type { Database, Queries } from './database.ts'

/** Maximum number of transactions in a group, so that a steady stream of new ones cannot delay the commit. */
const MAX_GROUP_SIZE = 64

/** The value that the work of a transaction returned, or the error that it threw. */
export type TransactionOutcome = { value: unknown } | { error: unknown }

export interface WaitingTransaction {
  /** When the transaction was requested, in milliseconds of `TransactionEngine.clock`. */
  calledAt: number
  /** Whether the transaction forms a group by itself, because it is long. */
  isAlone: boolean
  work(tx: Queries): Promise<unknown>
  settle(outcome: TransactionOutcome): void
}

/** The engine's transaction, in which all transactions of a group run. */
export interface GroupTransaction {
  tx: Queries
  /** Runs `work`, and undoes its changes if it fails. Rejects if the whole group has failed. */
  runInSavepoint(work: () => Promise<unknown>): Promise<TransactionOutcome>
}

interface TransactionEngine {
  /**
   * Begins a transaction, lets `runAll` run the group in it, and commits. If this rejects, all transactions
   * that have run in it fail with the same error. If none has run yet, the first waiting transaction fails
   * with it.
   */
  runGroup(runAll: (transaction: GroupTransaction) => Promise<void>, isLong: boolean): Promise<void>
  /** If this returns an error, all waiting transactions fail with that error instead of being run. */
  refusalReason?(): Error | null | undefined
  /** Called after a group has failed. May remove waiting transactions from the queue, and fail them too. */
  onFailure?(error: unknown, queue: WaitingTransaction[]): void
  /** Called after a group was committed or has failed. */
  afterGroup?(): Promise<void> | undefined
  /** A monotonic clock in milliseconds. */
  clock?: () => number
}

export type GroupQueue = ReturnType<typeof createGroupQueue>

export function createGroupQueue(engine: TransactionEngine) {
  const { clock = () => performance.now() } = engine
  const queue: WaitingTransaction[] = []
  let drainPromise: Promise<void> | undefined

  async function drainQueue(): Promise<void> {
    while (queue.length > 0) {
      // Wait for the next event loop iteration, so that other transactions that are ready can join the group.
      await new Promise(resolve => setImmediate(resolve))
      const error = engine.refusalReason?.()
      if (error) {
        for (const transaction of queue.splice(0)) transaction.settle({ error })
        continue
      }
      await runGroup(engine, queue)
      await engine.afterGroup?.()
    }
    drainPromise = undefined
  }

  const transaction: Database['transaction'] = (work, { long: isAlone = false } = {}) =>
    new Promise((resolve, reject) => {
      queue.push({
        calledAt: clock(),
        isAlone,
        work,
        settle(outcome) {
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.value as Awaited<ReturnType<typeof work>>)
        },
      })
      drainPromise ??= drainQueue()
    })

  return {
    transaction,
    /** Resolves when all transactions that were requested so far have ended. */
    async waitUntilSettled() {
      await drainPromise
    },
  }
}

async function runGroup(engine: TransactionEngine, queue: WaitingTransaction[]): Promise<void> {
  const group: { transaction: WaitingTransaction; outcome?: TransactionOutcome }[] = []

  async function runAll({ tx, runInSavepoint }: GroupTransaction): Promise<void> {
    while (queue.length > 0 && group.length < MAX_GROUP_SIZE) {
      if (queue[0]!.isAlone && group.length > 0) return
      const entry: (typeof group)[number] = { transaction: queue.shift()! }
      group.push(entry)
      const { isAlone, work } = entry.transaction
      entry.outcome = isAlone ? { value: await work(tx) } : await runInSavepoint(() => work(tx))
      if (isAlone) return
    }
  }

  let groupError: { error: unknown } | undefined
  try {
    await engine.runGroup(runAll, queue[0]!.isAlone)
  } catch (error) {
    groupError = { error }
    if (group.length === 0) group.push({ transaction: queue.shift()! })
    engine.onFailure?.(error, queue)
  }
  for (const { transaction, outcome } of group) transaction.settle(groupError ?? outcome!)
}
