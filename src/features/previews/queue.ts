/**
 * The queue before `derive`: a bounded number at a time, what a reader waits for first, each token in its turn, refilled
 * from the database.
 */
import { type SqlBool, sql } from 'kysely'
import { MINUTE } from '../../contract/units.ts'
import type { Database } from '../../database/database.ts'
import type { Turn } from '../../images/images.ts'
import { createFairQueue, type FairQueue } from '../../jobs/fair-queue.ts'
import type { Log } from '../../log.ts'

/** More than this of one token wait in the database, not in memory. */
const WINDOW = 500
/** Of one token, at work: one at its decoder, one being written down. What readers wait for counts apart. */
const OF_ONE = 2
/** Of all tokens, at work. */
const OF_ALL = 8
/** While work goes on, the database is asked this often what else is left to do. */
const LOOK_AGAIN = MINUTE

export interface DeriveQueue {
  /** A file of this token is new; null: of the dashboard. */
  add(nr: number, tokenId: string | null): void
  /** A reader waits for this file. */
  hurry(nr: number): void
  /** Puts a pending file into the queue where it is not there already. */
  enlist(nr: number): void
  /** Takes up what the database says is left to do, and resolves when that is done or `signal` says to wait no longer. */
  workOff(signal: AbortSignal): Promise<void>
  /** Starts nothing more, and resolves when what was running has ended. */
  stop(): Promise<void>
}

export interface DeriveQueueParts {
  database: Database
  derive: (nr: number, turn: Turn) => Promise<void>
  /** Tells the decoders that somebody has begun to wait. */
  hurry: (turn: Turn) => void
  log: Log
}

/** Files of the dashboard have no token; as a client they are one like any other. */
const clientOf = (tokenId: string | null) => tokenId ?? ''

const isPending = sql<SqlBool>`derived = 'pending'`

export function createDeriveQueue({ database, derive, hurry, log }: DeriveQueueParts): DeriveQueue {
  const urgent = createFairQueue<number>()
  const waiting = createFairQueue<number>()
  const running = new Map<number, { work: Promise<void>; turn: Turn }>()
  /** Overwritten while their earlier content was at work. */
  const again = new Set<number>()
  /** Clients of which more is in the database than in memory. */
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

  /** The next files of one client; answers their numbers. */
  async function refill(client: string): Promise<number[]> {
    overflowed.delete(client)
    const rows = await database.read
      .selectFrom('media')
      .select('nr')
      .where(isPending)
      .where('token_id', client === '' ? 'is' : '=', client === '' ? null : client)
      .orderBy('nr')
      .limit(WINDOW)
      .execute()
    for (const { nr } of rows) enqueue(waiting, client, nr)
    if (rows.length === WINDOW) overflowed.add(client)
    return rows.map(({ nr }) => nr)
  }

  /** The next files of every client; answers their numbers. */
  async function refillAll(): Promise<number[]> {
    const numbers = await refill('')
    for (let last = ''; ; ) {
      // One step through the index for each token, not a walk over all that is pending.
      const next = await database.read
        .selectFrom('media')
        .select('token_id')
        .where(isPending)
        .where('token_id', '>', last)
        .orderBy('token_id')
        .limit(1)
        .executeTakeFirst()
      if (!next?.token_id) return numbers
      last = next.token_id
      numbers.push(...(await refill(last)))
    }
  }

  /** Looks up whose file it is, unless memory knows. */
  async function bring(nr: number, queue: FairQueue<number>): Promise<void> {
    const row = await database.read
      .selectFrom('media')
      .select('token_id')
      .where('nr', '=', nr)
      .where(isPending)
      .executeTakeFirst()
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
        // Its place among what nobody waits for is free.
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
