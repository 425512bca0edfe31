/** How long answers are good for, when they are asked for again, and what happens when the session is over. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

/** Milliseconds. Events announce most changes; this is for the changes that no event announces. */
const FRESH_FOR = 30_000
const RETRIES = 2

/** A refusal stays a refusal; only silence and trouble on the server's side are tried again. */
export const mayHelp = (error: Error) => !(error instanceof ApiError) || error.status >= 500

export function createQueries({ onSignedOut }: { onSignedOut(): void }): QueryClient {
  const notice = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR,
        retry: (failures, error) => failures < RETRIES && mayHelp(error),
        // Without this a browser that calls itself offline would not even ask a service on the same machine.
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
