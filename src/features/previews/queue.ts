/**
 * The preview queue: files whose derived files have to be made. A limited number is processed at a time,
 * files that a reader waits for come first, tokens are served round-robin (`queue-in-memory.ts`), and the
 * queue is refilled from the database.
 */
import { type SqlBool, sql } from 'kysely'
import { withTimeout } from '../../base/time-limit.ts'
import { MINUTE } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import type { FeatureParts } from '../feature.ts'
import { createQueueInMemory, MAX_WAITING_PER_CLIENT, type QueueInMemoryParts } from './queue-in-memory.ts'

/** Milliseconds after which `processPending` queries the database again for pending files. */
const RECHECK_INTERVAL = MINUTE
/**
 * Milliseconds that this process waits after the lease of another process on a file has expired. Then it
 * queues the file if it is still pending.
 */
const LEASE_END_MARGIN = 500

type DeriveQueueParts = Pick<FeatureParts, 'database' | 'now'> &
  Omit<QueueInMemoryParts, 'onEnd' | 'onRefillNeeded'>

/** Files uploaded in the dashboard have no token; together they are one client. */
const clientOf = (tokenId: string | null) => tokenId ?? ''

const selectPending = (db: Queries) => db.selectFrom('media').where(sql<SqlBool>`derived = 'pending'`)

async function pendingFileNumbers(db: Queries, client: string, limit: number): Promise<number[]> {
  const rows = await selectPending(db)
    .select('nr')
    .where('token_id', client === '' ? 'is' : '=', client === '' ? null : client)
    .orderBy('nr')
    .limit(limit)
    .execute()
  return rows.map(({ nr }) => nr)
}

/**
 * Yields the client of the dashboard, and the tokens with pending files. One index lookup per token, instead
 * of a scan over all pending files.
 */
async function* pendingClients(db: Queries): AsyncGenerator<string> {
  yield clientOf(null)
  for (let lastTokenId = ''; ; ) {
    const nextRow = await selectPending(db)
      .select('token_id')
      .where('token_id', '>', lastTokenId)
      .orderBy('token_id')
      .limit(1)
      .executeTakeFirst()
    if (!nextRow?.token_id) return
    lastTokenId = nextRow.token_id
    yield lastTokenId
  }
}

export function createDeriveQueue({ database, now, ...parts }: DeriveQueueParts) {
  let isStopped = false
  /** Resolves when the work on any file ends. */
  let nextEnd = Promise.withResolvers<void>()
  const memoryQueue = createQueueInMemory({
    ...parts,
    onRefillNeeded: client => void logFailure(refill(client)),
    onEnd(nr, leasedUntil) {
      // Another process is working on the file. If that process dies, this process takes over the file when
      // the lease expires.
      if (leasedUntil !== undefined)
        setTimeout(() => isStopped || enlist(nr), Math.max(leasedUntil - now(), 0) + LEASE_END_MARGIN).unref()
      nextEnd.resolve()
      nextEnd = Promise.withResolvers()
    },
  })

  const logFailure = (promise: Promise<unknown>) =>
    promise.catch(cause => parts.log.error('the queue could not be refilled', { cause }))

  /** Queues the next pending files of one client; returns their numbers. */
  async function refill(client: string): Promise<number[]> {
    const numbers = await pendingFileNumbers(database.read, client, MAX_WAITING_PER_CLIENT)
    for (const nr of numbers) memoryQueue.add(nr, { client, isAwaited: false })
    if (numbers.length === MAX_WAITING_PER_CLIENT) memoryQueue.markForRefill(client)
    return numbers
  }

  /** If the file is pending, looks up its client and adds it to the queue in memory. */
  async function addPending(nr: number, isAwaited: boolean): Promise<void> {
    const row = await selectPending(database.read).select('token_id').where('nr', '=', nr).executeTakeFirst()
    if (row) memoryQueue.add(nr, { client: clientOf(row.token_id), isAwaited })
  }

  /** Adds a pending file unless it is in the queue already. */
  function enlist(nr: number): void {
    if (!memoryQueue.has(nr)) void logFailure(addPending(nr, false))
  }

  return {
    /** Adds a file with new content. `tokenId` is null for a file from the dashboard. */
    add: (nr: number, tokenId: string | null) => memoryQueue.addNew(nr, clientOf(tokenId)),
    /** Called when a reader waits for this file. */
    prioritize(nr: number) {
      if (!memoryQueue.prioritize(nr)) void logFailure(addPending(nr, true))
    },
    enlist,
    /**
     * Queues files that are pending in the database, at most `MAX_WAITING_PER_CLIENT` of each client, and
     * does so again every `RECHECK_INTERVAL` while some are unfinished. Resolves when the files that were
     * queued last have been processed, when the queue is stopped, or when `signal` aborts.
     */
    async processPending(signal: AbortSignal) {
      for (let isRecheckDue = true; isRecheckDue; ) {
        const queuedNumbers: number[] = []
        for await (const client of pendingClients(database.read))
          queuedNumbers.push(...(await refill(client)))
        const hasUnfinished = () => !isStopped && queuedNumbers.some(memoryQueue.has)
        isRecheckDue = await waitUntilDone(hasUnfinished, () => nextEnd.promise, signal)
      }
    },
    /** Takes no further files from the queue; resolves when the files in progress have been processed. */
    stop() {
      isStopped = true
      return memoryQueue.stop()
    },
  }
}

/**
 * Waits until `hasUnfinished` returns false or `signal` aborts, for at most `RECHECK_INTERVAL`. Returns true
 * if that time has passed; then the database has to be queried again.
 */
async function waitUntilDone(
  hasUnfinished: () => boolean,
  waitForNextEnd: () => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise: aborted, resolve: onAbort } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => onAbort())
  const recheckAt = performance.now() + RECHECK_INTERVAL
  while (!signal.aborted && hasUnfinished()) {
    const remainingTime = recheckAt - performance.now()
    if (remainingTime <= 0) return true
    await withTimeout(remainingTime, Promise.race([waitForNextEnd(), aborted]))
  }
  return false
}
