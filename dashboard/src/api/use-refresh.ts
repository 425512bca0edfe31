/**
 * Refetches the queries of the open page: `refresh('tokens')`, `refresh(...FILE_QUERIES)`, or `refresh()` for
 * all of them.
 */
import { type QueryClient, type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Queries that show or count files, by the first part of their key. */
export const FILE_QUERIES = [
  'media',
  'folders',
  'papierkorb',
  'verlauf',
  'uebersicht',
  'tokens',
  'fristen',
  'merkzettel',
]

/** The first part of the keys of prefetched queries. */
const PREFETCHED_KEY = 'media'

export function useRefresh(): (...queryNames: readonly string[]) => Promise<void> {
  const queryClient = useQueryClient()
  return useCallback(
    (...queryNames) => {
      // Answers of `media` that no component shows, such as prefetched pages, are dropped: otherwise a page
      // would show deleted files for a moment when it is opened.
      if (queryNames.length === 0 || queryNames.includes(PREFETCHED_KEY))
        queryClient.removeQueries({ queryKey: [PREFETCHED_KEY], type: 'inactive' })
      return refreshQueries(
        queryClient,
        queryNames.length > 0
          ? { predicate: ({ queryKey }) => queryNames.includes(String(queryKey[0])) }
          : {},
      )
    },
    [queryClient],
  )
}

/**
 * Refetches the matching queries that are in use. Pending requests are not cancelled: with frequent changes
 * none would ever finish. A pending answer may be older than the latest change, so its query is fetched once
 * more afterwards, however many changes there were.
 */
export async function refreshQueries(queryClient: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const pendingQueries = new Set(queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' }))
  await queryClient.invalidateQueries(filters, { cancelRefetch: false })
  if (pendingQueries.size === 0) return
  await queryClient.invalidateQueries(
    { predicate: query => pendingQueries.has(query) },
    { cancelRefetch: false },
  )
}
