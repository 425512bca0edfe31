/** The TanStack Query client: cache times, retries, and the reaction to refused requests. */
import { QueryClient } from '@tanstack/react-query'
import { noticeSessionEnd } from '../state/session.ts'
import { onRefused } from './client.ts'
import { isRetryable } from './error.ts'

/** Milliseconds for which an answer counts as fresh. Limited because some changes cause no event. */
const FRESH_FOR_MS = 30_000
const MAX_RETRIES = 2

/**
 * Error codes that mean that the rights of the account have changed since this page requested them, or that
 * the account now needs a second factor.
 */
const RIGHTS_CODES: readonly (string | undefined)[] = [
  'role-forbidden',
  'folder-forbidden',
  'factor-required',
]

export function createQueryClient(): QueryClient {
  onRefused(({ status, code }) => {
    if (status === 401) noticeSessionEnd()
    if (RIGHTS_CODES.includes(code)) void queryClient.invalidateQueries({ queryKey: ['ich'] })
  })
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
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
