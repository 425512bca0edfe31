/** Gives every request an id, which is in the answer and in every log line of the request. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { NewId } from '../base/ids.ts'
import type { RequestHead } from './request-head.ts'

export const REQUEST_ID = 'X-Request-Id'

/** Number of characters: few enough to be read out over the phone. */
const LENGTH = 10

/** The ids that a caller or proxy may choose: they go into log lines and into an answer. */
const HARMLESS = /^[A-Za-z0-9._-]{1,64}$/

export type RequestIds = ReturnType<typeof createRequestIds>

export function createRequestIds({ newId }: { newId: NewId }) {
  const store = new AsyncLocalStorage<{ id: string; answered: boolean }>()

  /** The id of the request being answered; undefined outside of a request. */
  function current(): string | undefined {
    const request = store.getStore()
    // Timers and queues started by an answered request also do the work of other requests.
    return request?.answered === false ? request.id : undefined
  }

  return {
    current,
    /** The current request's id; otherwise the one in `request`, if valid; otherwise a new one. */
    of(request?: Pick<RequestHead, 'headers'>) {
      const given = request?.headers.get(REQUEST_ID)
      return current() ?? (given && HARMLESS.test(given) ? given : newId(LENGTH))
    },
    /** Everything in `work` belongs to the request with this id, until it is answered. */
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
