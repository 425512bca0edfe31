/**
 * The queue of write transactions of both engines. Transactions that wait at the same time form a group: they
 * run one after the other and are committed together, since a commit costs a hundred times what the
 * statements cost. No transaction resolves before the commit of its group.
 *
 * A long transaction is a group by itself, because others in its group would resolve only after it.
 */
import type { Database, Queries } from './database.ts'

/** Maximum number of transactions in a group, so that none waits for an endless queue. */
const GROUP_LIMIT = 64

/** What the work of a transaction has returned or thrown. */
export type Outcome = { value: unknown } | { error: unknown }

export interface WaitingTransaction {
  /** When the transaction was called, by `clock`. */
  since: number
  /** Whether it forms a group by itself. */
  alone: boolean
  work(tx: Queries): Promise<unknown>
  settle(outcome: Outcome): void
}

/** The transaction that a group shares. */
export interface GroupTransaction {
  tx: Queries
  /** Undoes what failing work has changed. Rejects when the whole group has failed. */
  inSavepoint(work: () => Promise<unknown>): Promise<Outcome>
}

interface Engine {
  /**
   * Begins a transaction, lets `runAll` run the group in it, and commits. If this rejects, the whole group
   * fails with the same error.
   */
  runGroup(runAll: (under: GroupTransaction) => Promise<void>, isLong: boolean): Promise<void>
  /** If it returns an error, all waiting transactions fail with that error instead of being run. */
  refusal?(): Error | null | undefined
  /** Called after a group has failed. May remove further transactions from the queue that fail with it. */
  onFailure?(error: unknown, waiting: WaitingTransaction[]): void
  /** Called after the group was answered. */
  afterGroup?(): Promise<void> | undefined
  /** Monotonic milliseconds. */
  clock?: () => number
}

export type GroupQueue = ReturnType<typeof createGroupQueue>

export function createGroupQueue(engine: Engine) {
  const { clock = () => performance.now() } = engine
  const waiting: WaitingTransaction[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // Wait for the next event loop iteration, so that other transactions that are ready can join the group.
      await new Promise(resolve => setImmediate(resolve))
      const error = engine.refusal?.()
      if (error) {
        for (const one of waiting.splice(0)) one.settle({ error })
        continue
      }
      await runGroup(engine, waiting)
      await engine.afterGroup?.()
    }
    draining = undefined
  }

  const transaction: Database['transaction'] = (work, { long: alone = false } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({
        since: clock(),
        alone,
        work,
        settle(outcome) {
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.value as Awaited<ReturnType<typeof work>>)
        },
      })
      draining ??= drain()
    })

  return {
    transaction,
    /** Resolves when all transactions that were called before have ended. */
    async settled() {
      await draining
    },
  }
}

async function runGroup(engine: Engine, waiting: WaitingTransaction[]): Promise<void> {
  const group: { one: WaitingTransaction; outcome?: Outcome }[] = []

  async function runAll({ tx, inSavepoint }: GroupTransaction): Promise<void> {
    while (waiting.length > 0 && group.length < GROUP_LIMIT) {
      if (waiting[0]!.alone && group.length > 0) return
      const entry: (typeof group)[number] = { one: waiting.shift()! }
      group.push(entry)
      const { alone, work } = entry.one
      entry.outcome = alone ? { value: await work(tx) } : await inSavepoint(() => work(tx))
      if (alone) return
    }
  }

  let failed: { error: unknown } | undefined
  try {
    await engine.runGroup(runAll, waiting[0]!.alone)
  } catch (error) {
    failed = { error }
    if (group.length === 0) group.push({ one: waiting.shift()! })
    engine.onFailure?.(error, waiting)
  }
  for (const { one, outcome } of group) one.settle(failed ?? outcome!)
}
