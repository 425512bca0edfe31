/** The in-memory part of the queue: the waiting files, by token in turn, and the files in progress. */

import type { Log } from '../../base/log.ts'
import type { Turn } from '../../images/images.ts'
import { createFairQueue, type FairQueue } from '../../jobs/fair-queue.ts'
import type { Derive } from './derive.ts'

/** Maximum number of files of one token that wait in memory; the others wait in the database only. */
export const WINDOW = 500
/** Maximum number of files of one token in progress: one at its decoder, one being recorded. */
const MAX_PER_TOKEN = 2
/**
 * Maximum number of files of all tokens in progress. For both limits, awaited files are counted separately.
 */
const MAX_AT_WORK = 8

export interface QueueInMemoryParts {
  derive: Derive
  /** Tells the decoders that a reader is waiting. */
  hurry: (turn: Turn) => void
  log: Log
  /**
   * Called when the work on a file has ended. `takenUntil` is set if another process is working on the file:
   * the time at which its lease expires.
   */
  onEnd(nr: number, takenUntil: number | undefined): void
  /** Called when no file of a client is left in memory although the database has more of them. */
  onRoom(client: string): void
}

export function createQueueInMemory(parts: QueueInMemoryParts) {
  const urgent = createFairQueue<number>()
  const waiting = createFairQueue<number>()
  /** Clients with more pending files in the database than in memory. */
  const overflowed = new Set<string>()
  const atWork = createFilesAtWork({
    ...parts,
    onEnd(nr, { client, repeat, takenUntil }) {
      if (repeat) waiting.add(client, nr)
      pump()
      parts.onEnd(nr, takenUntil)
    },
  })
  let stopped = false

  function pump(): void {
    if (stopped) return
    atWork.fill(urgent, true)
    atWork.fill(waiting, false)
    for (const client of overflowed)
      if (waiting.countOf(client) === 0 && overflowed.delete(client)) parts.onRoom(client)
  }

  const has = (nr: number) => atWork.has(nr) || waiting.has(nr) || urgent.has(nr)

  /** Adds a file unless it is in the queue already. */
  function add(nr: number, { client, awaited }: Turn): void {
    const queue = awaited ? urgent : waiting
    if (has(nr)) return
    if (queue.countOf(client) < WINDOW) queue.add(client, nr)
    else overflowed.add(client)
    pump()
  }

  return {
    has,
    add,
    /** Called when the database has more pending files of this client. */
    overflow: (client: string) => void overflowed.add(client),
    /** Called when the file has new content. */
    addNew(nr: number, client: string): void {
      if (!atWork.repeat(nr)) add(nr, { client, awaited: false })
    },
    /** Called when a reader waits for the file. Returns false if it is not in the queue. */
    hurry(nr: number): boolean {
      const isAtWork = atWork.hurry(nr)
      const client = waiting.remove(nr)
      if (client !== undefined) add(nr, { client, awaited: true })
      // A running file that is awaited from now on is counted separately, so another one may start.
      if (isAtWork) pump()
      return isAtWork || client !== undefined
    },
    /** Starts no further file; resolves when the running ones have ended. */
    stop() {
      stopped = true
      return atWork.settled()
    },
  }
}

interface EndedWork {
  client: string
  /** Whether the file was overwritten meanwhile, and has to be derived again. */
  repeat: boolean
  takenUntil: number | undefined
}

interface AtWorkParts extends Pick<QueueInMemoryParts, 'derive' | 'hurry' | 'log'> {
  onEnd(nr: number, ended: EndedWork): void
}

/** The files in progress: limited in total and per client. */
function createFilesAtWork({ derive, hurry, log, onEnd }: AtWorkParts) {
  const running = new Map<number, { work: Promise<void>; turn: Turn }>()
  const overwritten = new Set<number>()

  async function workOn(nr: number, turn: Turn): Promise<void> {
    let takenUntil: number | undefined
    try {
      takenUntil = await derive(nr, turn)
    } catch (cause) {
      log.error('deriving failed', { cause })
    }
    running.delete(nr)
    onEnd(nr, { client: turn.client, repeat: overwritten.delete(nr), takenUntil })
  }

  function takeNext(queue: FairQueue<number>, awaited: boolean) {
    const alike = [...running.values()].filter(({ turn }) => turn.awaited === awaited)
    if (alike.length >= MAX_AT_WORK) return undefined
    return queue.take(
      (_, client) => alike.filter(({ turn }) => turn.client === client).length < MAX_PER_TOKEN,
    )
  }

  return {
    has: (nr: number) => running.has(nr),
    /** Starts files from the queue while there is room. */
    fill(queue: FairQueue<number>, awaited: boolean): void {
      for (let next = takeNext(queue, awaited); next; next = takeNext(queue, awaited)) {
        const turn = { client: next.client, awaited }
        running.set(next.item, { work: workOn(next.item, turn), turn })
      }
    },
    /** Returns whether the file is being processed; if so, it is processed again afterwards. */
    repeat: (nr: number): boolean => running.has(nr) && !!overwritten.add(nr),
    /** Returns whether the file is being processed; if so, its decoder learns that a reader waits. */
    hurry(nr: number): boolean {
      const begun = running.get(nr)
      if (begun) hurry(begun.turn)
      return begun !== undefined
    },
    async settled(): Promise<void> {
      await Promise.all([...running.values()].map(({ work }) => work))
    },
  }
}
