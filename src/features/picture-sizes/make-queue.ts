/**
 * The queue of pictures that are requested. Each is made once, however many readers wait for it. Clients are
 * served in turn. The limit per client is reached before the limit for all, so that no client uses up the
 * places of the others.
 */
import { failure } from '../../errors/errors.ts'
import type { Turn } from '../../images/images.ts'
import { createFairQueue } from '../../jobs/fair-queue.ts'

/** Maximum number of pictures being made, per client and in total. Each may fetch its source from S3. */
const AT_WORK_PER_CLIENT = 3
const AT_WORK = 8
/** Maximum number of pictures that wait, per client and in total. A page of the gallery has at most 200. */
const WAITING_PER_CLIENT = 256
const WAITING = 2_048

interface Waiting<Made> {
  key: string
  work: (turn: Turn) => Promise<Made>
  settle: PromiseWithResolvers<Made>
}

export function createMakeQueue<Made>() {
  const queue = createFairQueue<Waiting<Made>>()
  /** The pictures that wait or are being made, by their keys. */
  const wanted = new Map<string, Waiting<Made>>()
  const running = new Map<Waiting<Made>, string>()
  let stopped = false

  const heldBy = (client: string) => [...running.values()].filter(each => each === client).length

  function pump(): void {
    while (!stopped && running.size < AT_WORK) {
      const next = queue.take((_, client) => heldBy(client) < AT_WORK_PER_CLIENT)
      if (!next) return
      running.set(next.item, next.client)
      void start(next.item, next.client)
    }
  }

  async function start(item: Waiting<Made>, client: string): Promise<void> {
    try {
      item.settle.resolve(await item.work({ client, awaited: true }))
    } catch (error) {
      item.settle.reject(error)
    }
    running.delete(item)
    wanted.delete(item.key)
    pump()
  }

  /**
   * Called when another client waits for the same picture: it is made when the first of the two has its turn.
   */
  function join(item: Waiting<Made>, client: string): Promise<Made> {
    if (!running.has(item)) {
      const other = queue.remove(item)!
      queue.add(queue.countOf(client) < queue.countOf(other) ? client : other, item)
    }
    return item.settle.promise
  }

  return {
    /**
     * Resolves when the picture is made. `work` begins later, or never if another client already waits for
     * this picture. Rejects with 429 or 503 if too many pictures wait already.
     */
    async add(key: string, client: string, work: Waiting<Made>['work']): Promise<Made> {
      const known = wanted.get(key)
      if (known) return join(known, client)
      if (stopped || wanted.size >= WAITING) throw failure.sizeNotReady()
      if (queue.countOf(client) >= WAITING_PER_CLIENT) throw failure.sizesCrowded()
      const item = { key, work, settle: Promise.withResolvers<Made>() }
      // Prevents an unhandled rejection: maybe nobody waits for the picture any more.
      item.settle.promise.catch(() => {})
      wanted.set(key, item)
      queue.add(client, item)
      pump()
      return item.settle.promise
    },
    /** Starts nothing more; resolves when the pictures being made are finished. */
    async stop() {
      stopped = true
      for (const { settle } of queue.drain()) settle.reject(failure.sizeNotReady())
      await Promise.allSettled([...running.keys()].map(({ settle }) => settle.promise))
    },
  }
}
