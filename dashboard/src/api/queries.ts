/** Cache times, retries, and the end of the session. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

/** Milliseconds for which an answer counts as fresh, because some changes cause no event. */
const FRESH_FOR = 30_000
const RETRIES = 2

/** Only missing answers and server errors are retried, not refusals. */
export const isRetryable = (error: Error) => !(error instanceof ApiError) || error.status >= 500

/** Errors that say that the account has other rights than this page knows, or now needs a second factor. */
const RIGHTS_CODES: readonly (string | undefined)[] = [
  'role-forbidden',
  'folder-forbidden',
  'factor-required',
]

export function createQueries({ onSignedOut }: { onSignedOut(): void }): QueryClient {
  const notice = (error: Error) => {
    if (!(error instanceof ApiError)) return
    if (error.status === 401) onSignedOut()
    if (RIGHTS_CODES.includes(error.code)) void queries.invalidateQueries({ queryKey: ['ich'] })
  }
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR,
        retry: (failures, error) => failures < RETRIES && isRetryable(error),
        // Otherwise a browser that considers itself offline sends no request, even to the same machine.
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queries
}
