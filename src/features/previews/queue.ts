/**
 * The queue of files for `derive`. A bounded number of files is at work at a time, files that a reader waits for come
 * first, tokens take turns, and the queue is refilled from the database.
 */
import { type SqlBool, sql } from 'kysely'
import { MINUTE } from '../../contract/units.ts'
import type { Queries } from '../../database/database.ts'
import type { FeatureParts } from '../../feature.ts'
import type { Turn } from '../../images/images.ts'
import { createFairQueue, type FairQueue } from '../../jobs/fair-queue.ts'
import type { Derive } from './derive.ts'

/** Files of one token that wait in memory; further files of the token wait in the database only. */
const WINDOW = 500
/** Files of one token at work: one at its decoder, one being recorded. Files that readers wait for count apart. */
const OF_ONE = 2
/** Files of all tokens at work. Files that readers wait for count apart. */
const OF_ALL = 8
/** Milliseconds after which `workOff`, while work goes on, asks the database again which files are left to do. */
const LOOK_AGAIN = MINUTE
/** Milliseconds from the end of another process's claim until the file is looked at. */
const CLAIM_END = 500

export interface DeriveQueue {
  /** Adds a new file of this token; null stands for the dashboard. */
  add(nr: number, tokenId: string | null): void
  /** Call when a reader waits for this file. */
  hurry(nr: number): void
  /** Puts a pending file into the queue unless the file is in the queue already. */
  enlist(nr: number): void
  /**
   * Takes up the files that are pending in the database; resolves when these are done or when `signal` says to wait no
   * longer.
   */
  workOff(signal: AbortSignal): Promise<void>
  /** Starts no further file; resolves when the running ones have ended. */
  stop(): Promise<void>
}

export interface DeriveQueueParts extends Pick<FeatureParts, 'database' | 'now' | 'log'> {
  derive: Derive
  /** Tells the decoders that a reader has begun to wait. */
  hurry: (turn: Turn) => void
}

/** Files of the dashboard have no token; together they form one client like any other. */
const clientOf = (tokenId: string | null) => tokenId ?? ''

const pending = (db: Queries) => db.selectFrom('media').where(sql<SqlBool>`derived = 'pending'`)

async function pendingOf(db: Queries, client: string, limit: number): Promise<number[]> {
  const rows = await pending(db)
    .select('nr')
    .where('token_id', client === '' ? 'is' : '=', client === '' ? null : client)
    .orderBy('nr')
    .limit(limit)
    .execute()
  return rows.map(({ nr }) => nr)
}

/** The tokens that have pending files. One step in the index to each, instead of a walk over all pending files. */
async function* pendingTokens(db: Queries): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const next = await pending(db)
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

export function createDeriveQueue({ database, derive, hurry, now, log }: DeriveQueueParts): DeriveQueue {
  const urgent = createFairQueue<number>()
  const waiting = createFairQueue<number>()
  const running = new Map<number, { work: Promise<void>; turn: Turn }>()
  /** Files that were overwritten while their earlier content was at work, and have to be derived again. */
  const again = new Set<number>()
  /** Clients that have more pending files in the database than in memory. */
  const overflowed = new Set<string>()
  let stopped = false
  let finished = Promise.withResolvers<void>()

  function take(queue: FairQueue<number>, awaited: boolean) {
    const atWork = [...running.values()].filter(({ turn }) => turn.awaited === awaited)
    if (atWork.length >= OF_ALL) return undefined
    return queue.take((_, client) => atWork.filter(({ turn }) => turn.client === client).length < OF_ONE)
  }

  function begin(nr: number, turn: Turn): void {
    const work = derive(nr, turn)
      .then(claimedUntil => {
        if (claimedUntil !== undefined) lookAgain(nr, claimedUntil)
      })
      .catch(error => log.error('deriving failed', { cause: error }))
      .finally(() => {
        running.delete(nr)
        if (again.delete(nr)) waiting.add(turn.client, nr)
        pump()
        finished.resolve()
        finished = Promise.withResolvers()
      })
    running.set(nr, { work, turn })
  }

  /** Another process is at work on the file. Should that process die, the file is taken up when its claim has ended. */
  function lookAgain(nr: number, claimedUntil: number): void {
    const timer = setTimeout(
      () => {
        if (!stopped && !isOpen(nr)) logged(bring(nr, waiting))
      },
      Math.max(claimedUntil - now(), 0) + CLAIM_END,
    )
    timer.unref()
  }

  function pump(): void {
    if (stopped) return
    for (const awaited of [true, false]) {
      const queue = awaited ? urgent : waiting
      for (let next = take(queue, awaited); next; next = take(queue, awaited))
        begin(next.item, { client: next.client, awaited })
    }
    for (const client of overflowed) if (waiting.countOf(client) === 0) logged(refill(client))
  }

  function logged(work: Promise<unknown>): void {
    work.catch(error => log.error('the queue could not be refilled', { cause: error }))
  }

  const isOpen = (nr: number) => running.has(nr) || waiting.has(nr) || urgent.has(nr)

  function enqueue(queue: FairQueue<number>, client: string, nr: number): void {
    if (isOpen(nr)) return
    if (queue.countOf(client) >= WINDOW) {
      overflowed.add(client)
      return
    }
    queue.add(client, nr)
    pump()
  }

  /** Puts the next pending files of one client into the queue; answers their numbers. */
  async function refill(client: string): Promise<number[]> {
    overflowed.delete(client)
    const numbers = await pendingOf(database.read, client, WINDOW)
    for (const nr of numbers) enqueue(waiting, client, nr)
    if (numbers.length === WINDOW) overflowed.add(client)
    return numbers
  }

  /** Puts the next pending files of every client into the queue; answers their numbers. */
  async function refillAll(): Promise<number[]> {
    const numbers = await refill(clientOf(null))
    for await (const token of pendingTokens(database.read)) numbers.push(...(await refill(token)))
    return numbers
  }

  /** Looks up the client of a pending file, and puts the file into `queue`. */
  async function bring(nr: number, queue: FairQueue<number>): Promise<void> {
    const row = await pending(database.read).select('token_id').where('nr', '=', nr).executeTakeFirst()
    if (row) enqueue(queue, clientOf(row.token_id), nr)
  }

  return {
    add(nr, tokenId) {
      if (running.has(nr)) again.add(nr)
      else enqueue(waiting, clientOf(tokenId), nr)
    },
    hurry(nr) {
      const begun = running.get(nr)
      if (begun) {
        hurry(begun.turn)
        // The running file now counts as awaited: its place among the files that nobody waits for is free.
        pump()
        return
      }
      const client = waiting.remove(nr)
      if (client === undefined) logged(bring(nr, urgent))
      else enqueue(urgent, client, nr)
    },
    enlist(nr) {
      if (!isOpen(nr)) logged(bring(nr, waiting))
    },
    async workOff(signal) {
      const ended = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      for (;;) {
        const numbers = await refillAll()
        const pause = Promise.withResolvers<boolean>()
        const timer = setTimeout(() => pause.resolve(true), LOOK_AGAIN)
        let lookAgain = false
        while (!lookAgain && !stopped && !signal.aborted && numbers.some(isOpen))
          lookAgain = (await Promise.race([finished.promise, ended, pause.promise])) === true
        clearTimeout(timer)
        if (!lookAgain) return
      }
    },
    async stop() {
      stopped = true
      await Promise.all([...running.values()].map(({ work }) => work))
    },
  }
}
