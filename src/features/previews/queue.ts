/** The queue before `derive`: a bounded number at a time, whoever is waited for first, refilled from the database. */
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'

/** More than this wait in the database, not in memory. */
const QUEUE_LIMIT = 1000

/** A few more than there are decoders, so that none idles while results are written down. */
const CONCURRENCY = 4

export interface DeriveQueue {
  /** A file is new. */
  add(nr: number): void
  /** A reader waits for this file. */
  hurry(nr: number): void
  /** Takes up what the database says is left to do. */
  refill(): Promise<void>
  /** The same, and resolves when that is done or `signal` says to wait no longer. */
  workOff(signal: AbortSignal): Promise<void>
  /** Starts nothing more, and resolves when what was running has ended. */
  stop(): Promise<void>
}

export interface DeriveQueueParts {
  database: Database
  derive: (nr: number) => Promise<void>
  log: Log
}

export function createDeriveQueue({ database, derive, log }: DeriveQueueParts): DeriveQueue {
  const urgent = new Set<number>()
  const waiting = new Set<number>()
  const running = new Map<number, Promise<void>>()
  /** Overwritten while their earlier content was at work. */
  const again = new Set<number>()
  let overflowed = false
  let stopped = false
  let finished = Promise.withResolvers<void>()

  function take(): number | undefined {
    const [nr] = urgent.size > 0 ? urgent : waiting
    if (nr === undefined) return undefined
    urgent.delete(nr)
    waiting.delete(nr)
    return nr
  }

  function pump(): void {
    while (!stopped && running.size < CONCURRENCY) {
      const nr = take()
      if (nr === undefined) break
      const work = derive(nr)
        .catch(error => log.error('deriving failed', { cause: error }))
        .finally(() => {
          running.delete(nr)
          if (again.delete(nr)) waiting.add(nr)
          pump()
          finished.resolve()
          finished = Promise.withResolvers()
        })
      running.set(nr, work)
    }
    if (overflowed && !stopped && waiting.size === 0) {
      refill().catch(error => log.error('the queue could not be refilled', { cause: error }))
    }
  }

  function enqueue(queue: Set<number>, nr: number): void {
    if (running.has(nr)) return
    if (queue.size >= QUEUE_LIMIT) {
      overflowed = true
      return
    }
    queue.add(nr)
    pump()
  }

  /** The numbers that it took up. */
  async function takeUp(): Promise<number[]> {
    overflowed = false
    const rows = await database.read
      .selectFrom('media')
      .select('nr')
      .where('derived', '=', 'pending')
      .orderBy('nr')
      .limit(QUEUE_LIMIT)
      .execute()
    for (const { nr } of rows) enqueue(waiting, nr)
    if (rows.length === QUEUE_LIMIT) overflowed = true
    return rows.map(({ nr }) => nr)
  }

  const refill = async () => void (await takeUp())

  const isOpen = (nr: number) => running.has(nr) || waiting.has(nr) || urgent.has(nr)

  return {
    add(nr) {
      if (running.has(nr)) again.add(nr)
      else enqueue(waiting, nr)
    },
    hurry: nr => enqueue(urgent, nr),
    refill,
    async workOff(signal) {
      const numbers = await takeUp()
      const ended = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      while (!stopped && !signal.aborted && numbers.some(isOpen))
        await Promise.race([finished.promise, ended])
    },
    async stop() {
      stopped = true
      await Promise.all(running.values())
    },
  }
}
