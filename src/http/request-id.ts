/** Gives every request an id, which is sent with the answer and written into the log lines of the request. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { NewId } from '../base/ids.ts'
import type { BodilessRequest } from './bodiless-request.ts'

export const REQUEST_ID_HEADER = 'X-Request-Id'

/** Number of characters of a new id: few enough to be read out over the phone. */
const REQUEST_ID_LENGTH = 10

/**
 * The ids that are accepted from a client or proxy. Other characters could falsify the log lines into which
 * the id is written.
 */
const VALID_ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/

export type RequestIds = ReturnType<typeof createRequestIds>

export function createRequestIds({ newId }: { newId: NewId }) {
  const requestStore = new AsyncLocalStorage<{ id: string; isAnswered: boolean }>()

  /** The id of the request that is being answered; undefined outside of a request and after its answer. */
  function currentId(): string | undefined {
    const request = requestStore.getStore()
    // After the answer, timers and queues that the request has started may do the work of other requests.
    return request?.isAnswered === false ? request.id : undefined
  }

  return {
    currentId,
    /**
     * The current request's id; otherwise the one in the headers of `request`, if valid; otherwise a new one.
     */
    idOf(request?: Pick<BodilessRequest, 'headers'>) {
      const sentId = request?.headers.get(REQUEST_ID_HEADER)
      return currentId() ?? (sentId && VALID_ID_PATTERN.test(sentId) ? sentId : newId(REQUEST_ID_LENGTH))
    },
    /** Runs `work`. Until `work` has ended, `currentId` returns this id within it. */
    async runWithId<T>(id: string, work: () => Promise<T>) {
      const request = { id, isAnswered: false }
      try {
        return await requestStore.run(request, work)
      } finally {
        request.isAnswered = true
      }
    },
  }
}
