/** The query client: cache times, retries, and what happens when a request is refused. */
import { QueryClient } from '@tanstack/react-query'
import { noticeEnd } from '../state/session.ts'
import { onRefused } from './client.ts'
import { isRetryable } from './error.ts'

/**
 * Milliseconds for which an answer counts as fresh. The time is limited because some changes cause no event.
 */
const FRESH_FOR_MS = 30_000
const MAX_RETRIES = 2

/**
 * Codes of errors that occur if the rights of the account have changed since this page asked for them, or if
 * the account now needs a second factor.
 */
const RIGHTS_CODES: readonly (string | undefined)[] = [
  'role-forbidden',
  'folder-forbidden',
  'factor-required',
]

export function createQueries(): QueryClient {
  onRefused(({ status, code }) => {
    if (status === 401) noticeEnd()
    if (RIGHTS_CODES.includes(code)) void queries.invalidateQueries({ queryKey: ['ich'] })
  })
  const queries = new QueryClient({
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
