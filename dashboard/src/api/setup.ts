/**
 * Whether the service still has to be set up, and which ways to sign in it offers. Stored in an observable,
 * because the sign-in pages do not load TanStack Query.
 */
import { createObservable, useObservable } from '../state/observable.ts'
import { get } from './client.ts'
import { isRetryable } from './error.ts'
import type { GetRoutes } from './routes.ts'

const MAX_RETRIES = 2
const RETRY_DELAY_MS = 1000

/** The answer of the service; undefined until it has arrived. */
const setupAnswer = createObservable<GetRoutes['einrichtung']['answer'] | undefined>(undefined)

export const useSetup = () => useObservable(setupAnswer)

export function fetchSetup(retriesLeft = MAX_RETRIES): void {
  get('einrichtung').then(setupAnswer.set, error => {
    if (retriesLeft > 0 && isRetryable(error)) setTimeout(fetchSetup, RETRY_DELAY_MS, retriesLeft - 1)
  })
}
