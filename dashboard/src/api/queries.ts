/** The TanStack Query client: cache times, retries, and the reaction to refused requests. */
import { QueryClient } from '@tanstack/react-query'
import { handleSessionEnd } from '../state/session.ts'
import { onRequestRefused } from './client.ts'
import { isRetryable } from './error.ts'

/**
 * Milliseconds for which an answer counts as fresh. The time is limited, because the service sends no event
 * for some changes.
 */
const STALE_TIME_MS = 30_000
const MAX_RETRIES = 2

/**
 * Error codes that mean that the rights of the account have changed since this page requested them, or that
 * the account now needs a second factor.
 */
const RIGHTS_ERROR_CODES: readonly (string | undefined)[] = [
  'role-forbidden',
  'folder-forbidden',
  'factor-required',
]

export function createQueryClient(): QueryClient {
  onRequestRefused(({ status, code }) => {
    if (status === 401) handleSessionEnd()
    if (RIGHTS_ERROR_CODES.includes(code)) void queryClient.invalidateQueries({ queryKey: ['ich'] })
  })
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        retry: (failureCount, error) => failureCount < MAX_RETRIES && isRetryable(error),
        // With the default, a browser that considers itself offline sends no request, even to the same
        // machine.
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queryClient
}
