/**
 * Gives every request an id, which is sent with the answer and written into every log line of the request.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { NewId } from '../base/ids.ts'
import type { RequestHead } from './request-head.ts'

export const REQUEST_ID = 'X-Request-Id'

/** Number of characters of an id: few enough to be read out over the phone. */
const LENGTH = 10

/** The form of ids that a caller or proxy may choose, since they are written into log lines and an answer. */
const HARMLESS = /^[A-Za-z0-9._-]{1,64}$/

export type RequestIds = ReturnType<typeof createRequestIds>

export function createRequestIds({ newId }: { newId: NewId }) {
  const store = new AsyncLocalStorage<{ id: string; answered: boolean }>()

  /** The id of the request that is being answered; undefined outside of a request. */
  function current(): string | undefined {
    const request = store.getStore()
    // After the answer, timers and queues that the request has started may do the work of other requests.
    return request?.answered === false ? request.id : undefined
  }

  return {
    current,
    /** The current request's id; otherwise the one in `request`, if valid; otherwise a new one. */
    of(request?: Pick<RequestHead, 'headers'>) {
      const given = request?.headers.get(REQUEST_ID)
      return current() ?? (given && HARMLESS.test(given) ? given : newId(LENGTH))
    },
    /** Runs `work`, which belongs to the request with this id until it is done. */
    async during<T>(id: string, work: () => Promise<T>) {
      const request = { id, answered: false }
      try {
        return await store.run(request, work)
      } finally {
        request.answered = true
      }
    },
  }
}
