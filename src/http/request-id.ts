/**
 * Gives every request an id. The id stands in the answer and in each log line that is written while the
 * request is being worked on. So somebody who was told an id, or the number of an error, finds what happened.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { NewId } from '../base/ids.ts'
import type { Asked } from './asked.ts'

export const REQUEST_ID = 'X-Request-Id'

/** Characters of a new id: short enough to be read out. */
const LENGTH = 10

/** The ids that a caller or a proxy may choose, since an id goes into log lines and into an answer. */
const HARMLESS = /^[A-Za-z0-9._-]{1,64}$/

export interface RequestIds {
  /**
   * The id of the request that is being worked on; otherwise the id that `request` brings along, if that id
   * is short and harmless; otherwise a new id.
   */
  of(request?: Pick<Asked, 'headers'>): string
  /** The id of the request that is being worked on; undefined outside of any request. */
  current(): string | undefined
  /**
   * Everything that happens in `work` belongs to the request with this id, until that request is answered.
   */
  during<T>(id: string, work: () => Promise<T>): Promise<T>
}

export function createRequestIds({ newId }: { newId: NewId }): RequestIds {
  const store = new AsyncLocalStorage<{ id: string; answered: boolean }>()

  function current(): string | undefined {
    const request = store.getStore()
    // An answered request does not count: a timer or a queue that a request started does the work of other
    // requests too.
    return request?.answered === false ? request.id : undefined
  }

  return {
    current,
    of(request) {
      const given = request?.headers.get(REQUEST_ID)
      return current() ?? (given && HARMLESS.test(given) ? given : newId(LENGTH))
    },
    async during(id, work) {
      const request = { id, answered: false }
      try {
        return await store.run(request, work)
      } finally {
        request.answered = true
      }
    },
  }
}
