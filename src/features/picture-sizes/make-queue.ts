/**
 * The queue of requested pictures that have to be made. Each is made once, however many requests wait for it.
 * Clients are served round-robin. The limits per client are lower than the limits for all clients, so that
 * one client cannot use up the total.
 */
import { failure } from '../../errors/errors.ts'
import type { Requester } from '../../images/images.ts'
import { createFairQueue } from '../../jobs/fair-queue.ts'

/**
 * Maximum number of pictures being made, per client and in total. Each of them may need its file fetched from
 * S3.
 */
const MAX_RUNNING_PER_CLIENT = 3
const MAX_RUNNING_PICTURES = 8
/**
 * Maximum number of waiting pictures, per client and in total; the total includes the pictures being made. A
 * page of the gallery shows at most 200 pictures.
 */
const MAX_WAITING_PER_CLIENT = 256
const MAX_WAITING_PICTURES = 2_048

interface QueuedPicture<Made> {
  key: string
  make: (requester: Requester) => Promise<Made>
  completion: PromiseWithResolvers<Made>
}

export function createMakeQueue<Made>() {
  const queue = createFairQueue<QueuedPicture<Made>>()
  /** The pictures that are waiting or being made, by key. */
  const unfinishedPictures = new Map<string, QueuedPicture<Made>>()
  const clientsByRunningPicture = new Map<QueuedPicture<Made>, string>()
  let isStopped = false

  const countRunning = (client: string) =>
    [...clientsByRunningPicture.values()].filter(runningClient => runningClient === client).length

  function startNext(): void {
    while (!isStopped && clientsByRunningPicture.size < MAX_RUNNING_PICTURES) {
      const nextPicture = queue.take((_, client) => countRunning(client) < MAX_RUNNING_PER_CLIENT)
      if (!nextPicture) return
      clientsByRunningPicture.set(nextPicture.item, nextPicture.client)
      void makePicture(nextPicture.item, nextPicture.client)
    }
  }

  async function makePicture(item: QueuedPicture<Made>, client: string): Promise<void> {
    try {
      item.completion.resolve(await item.make({ client, isAwaited: true }))
    } catch (error) {
      item.completion.reject(error)
    }
    clientsByRunningPicture.delete(item)
    unfinishedPictures.delete(item.key)
    startNext()
  }

  /**
   * Called when a client requests a picture that is queued or being made already. If the picture is still
   * queued for another client, and more other pictures are queued for that client than for this one, the
   * picture moves to this client, so that it is made sooner.
   */
  function joinQueuedPicture(item: QueuedPicture<Made>, client: string): Promise<Made> {
    if (!clientsByRunningPicture.has(item)) {
      const previousClient = queue.remove(item)!
      queue.add(queue.countOf(client) < queue.countOf(previousClient) ? client : previousClient, item)
    }
    return item.completion.promise
  }

  return {
    /**
     * Makes the picture with `make`, as soon as the number of pictures being made allows it; resolves with
     * the result. If a picture with this key is queued or being made already, uses the result of that picture
     * and does not call `make`. Rejects with 429 if too many pictures of the client are waiting, and with 503
     * if too many are waiting in total or the queue is stopped.
     */
    async add(key: string, client: string, make: QueuedPicture<Made>['make']): Promise<Made> {
      const queuedPicture = unfinishedPictures.get(key)
      if (queuedPicture) return joinQueuedPicture(queuedPicture, client)
      if (isStopped || unfinishedPictures.size >= MAX_WAITING_PICTURES) throw failure.sizeNotReady()
      if (queue.countOf(client) >= MAX_WAITING_PER_CLIENT) throw failure.sizesCrowded()
      const item = { key, make, completion: Promise.withResolvers<Made>() }
      // Prevents an unhandled rejection: the request may have given up waiting.
      item.completion.promise.catch(() => {})
      unfinishedPictures.set(key, item)
      queue.add(client, item)
      startNext()
      return item.completion.promise
    },
    /**
     * Starts no further picture, and rejects the waiting ones with 503; resolves when the pictures being made
     * are finished.
     */
    async stop() {
      isStopped = true
      for (const { completion } of queue.drain()) completion.reject(failure.sizeNotReady())
      await Promise.allSettled(
        [...clientsByRunningPicture.keys()].map(({ completion }) => completion.promise),
      )
    },
  }
}
