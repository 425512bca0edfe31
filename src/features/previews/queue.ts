/**
 * The queue of files for `derive`. A limited number is processed at a time, awaited files come first, tokens
 * are served in turn (`queue-in-memory.ts`), and the queue is refilled from the database.
 */
import { type SqlBool, sql } from 'kysely'
import { MINUTE } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import type { FeatureParts } from '../feature.ts'
import { createQueueInMemory, type QueueInMemoryParts, WINDOW } from './queue-in-memory.ts'

/** Milliseconds after which `workOff` queries the database again for the files that are left. */
const RECHECK_AFTER = MINUTE
/** Milliseconds after another process's lease expires until the file is checked. */
const LEASE_END = 500

type DeriveQueueParts = Pick<FeatureParts, 'database' | 'now'> & Omit<QueueInMemoryParts, 'onEnd' | 'onRoom'>

/** Files of the dashboard have no token; together they are one client. */
const clientOf = (tokenId: string | null) => tokenId ?? ''

const selectPending = (db: Queries) => db.selectFrom('media').where(sql<SqlBool>`derived = 'pending'`)

async function pendingOf(db: Queries, client: string, limit: number): Promise<number[]> {
  const rows = await selectPending(db)
    .select('nr')
    .where('token_id', client === '' ? 'is' : '=', client === '' ? null : client)
    .orderBy('nr')
    .limit(limit)
    .execute()
  return rows.map(({ nr }) => nr)
}

/** The clients with pending files. One index lookup each, instead of a scan over all pending files. */
async function* pendingClients(db: Queries): AsyncGenerator<string> {
  yield clientOf(null)
  for (let last = ''; ; ) {
    const next = await selectPending(db)
      .select('token_id')
      .where('token_id', '>', last)
      .orderBy('token_id')
      .limit(1)
      .executeTakeFirst()
    if (!next?.token_id) return
    last = next.token_id
    yield last
  }
}

export function createDeriveQueue({ database, now, ...parts }: DeriveQueueParts) {
  let stopped = false
  let finished = Promise.withResolvers<void>()
  const memoryQueue = createQueueInMemory({
    ...parts,
    onRoom: client => void logged(refill(client)),
    onEnd(nr, takenUntil) {
      // Another process is working on the file. If that process dies, the file is taken up when its lease
      // expires.
      if (takenUntil !== undefined)
        setTimeout(() => stopped || enlist(nr), Math.max(takenUntil - now(), 0) + LEASE_END).unref()
      finished.resolve()
      finished = Promise.withResolvers()
    },
  })

  const logged = (work: Promise<unknown>) =>
    work.catch(cause => parts.log.error('the queue could not be refilled', { cause }))

  /** Queues the next pending files of one client; returns their numbers. */
  async function refill(client: string): Promise<number[]> {
    const numbers = await pendingOf(database.read, client, WINDOW)
    for (const nr of numbers) memoryQueue.add(nr, { client, awaited: false })
    if (numbers.length === WINDOW) memoryQueue.overflow(client)
    return numbers
  }

  /** Looks up the client of a pending file, and queues the file in memory. */
  async function addPending(nr: number, awaited: boolean): Promise<void> {
    const row = await selectPending(database.read).select('token_id').where('nr', '=', nr).executeTakeFirst()
    if (row) memoryQueue.add(nr, { client: clientOf(row.token_id), awaited })
  }

  /** Adds a pending file unless it is in the queue already. */
  function enlist(nr: number): void {
    if (!memoryQueue.has(nr)) void logged(addPending(nr, false))
  }

  return {
    /** Adds a file with new content. `tokenId` is null for a file from the dashboard. */
    add: (nr: number, tokenId: string | null) => memoryQueue.addNew(nr, clientOf(tokenId)),
    /** Called when a reader waits for this file. */
    hurry(nr: number) {
      if (!memoryQueue.hurry(nr)) void logged(addPending(nr, true))
    },
    enlist,
    /** Works off the files that are pending in the database; resolves when done or when `signal` aborts. */
    async workOff(signal: AbortSignal) {
      for (let isLate = true; isLate; ) {
        const numbers: number[] = []
        for await (const client of pendingClients(database.read)) numbers.push(...(await refill(client)))
        const isOpen = () => !stopped && numbers.some(memoryQueue.has)
        isLate = await isTakingLong(isOpen, () => finished.promise, signal)
      }
    },
    /** Starts no further file; resolves when the running ones have ended. */
    stop() {
      stopped = true
      return memoryQueue.stop()
    },
  }
}

/** Waits until nothing is left; true if that takes so long that the database has to be queried again. */
async function isTakingLong(isOpen: () => boolean, nextEnd: () => Promise<void>, signal: AbortSignal) {
  const aborted = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  const pause = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => pause.resolve(true), RECHECK_AFTER)
  let isLate = false
  while (!isLate && !signal.aborted && isOpen())
    isLate = (await Promise.race([nextEnd(), aborted, pause.promise])) === true
  clearTimeout(timer)
  return isLate
}
