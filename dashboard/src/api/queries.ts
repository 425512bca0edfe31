/** The query client: cache times, retries, and what happens when a request is refused. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

/**
 * Milliseconds for which an answer counts as fresh. The time is limited because some changes cause no event.
 */
const FRESH_FOR_MS = 30_000
const MAX_RETRIES = 2

/** Whether another attempt makes sense: after a missing answer or a server error, but not after a refusal. */
export const isRetryable = (error: Error) => !(error instanceof ApiError) || error.status >= 500

/**
 * Codes of errors that occur if the rights of the account have changed since this page asked for them, or if
 * the account now needs a second factor.
 */
const RIGHTS_CODES: readonly (string | undefined)[] = [
  'role-forbidden',
  'folder-forbidden',
  'factor-required',
]

export function createQueries({ onSignedOut }: { onSignedOut(): void }): QueryClient {
  const handleError = (error: Error) => {
    if (!(error instanceof ApiError)) return
    if (error.status === 401) onSignedOut()
    if (RIGHTS_CODES.includes(error.code)) void queries.invalidateQueries({ queryKey: ['ich'] })
  }
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError: handleError }),
    mutationCache: new MutationCache({ onError: handleError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        retry: (failures, error) => failures < MAX_RETRIES && isRetryable(error),
        // With the default, a browser that considers itself offline sends no request, even to the same
        // machine.
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queries
}
