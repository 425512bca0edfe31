/**
 * Every request has an id: in its answer, and in each log line that is written while it is being worked on. So somebody
 * who was told an id, or the number of an error, finds what happened.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { NewId } from '../ids.ts'

export const REQUEST_ID = 'X-Request-Id'

/** Short enough to be read out. */
const LENGTH = 10

/** What a caller or a proxy may choose: it goes into log lines and into an answer. */
const HARMLESS = /^[A-Za-z0-9._-]{1,64}$/

export interface RequestIds {
  /** Of the request being worked on; else the one it brings along, when that is short and harmless; else a new one. */
  of(request?: Request): string
  /** Undefined outside of any request. */
  current(): string | undefined
  /** Whatever happens in `work` belongs to the request, until it is answered. */
  during<T>(id: string, work: () => Promise<T>): Promise<T>
}

export function createRequestIds({ newId }: { newId: NewId }): RequestIds {
  const store = new AsyncLocalStorage<{ id: string; answered: boolean }>()

  function current(): string | undefined {
    const request = store.getStore()
    // A timer or a queue that a request set going does the work of others too.
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
