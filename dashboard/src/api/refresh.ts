/** Refetches what is shown after a change. */
import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * A pending answer is not cancelled: with frequent changes none would ever arrive. It may be older than the
 * change, so its query is fetched once more afterwards, however many changes there were.
 */
export async function refreshQueries(queries: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const early = new Set(queries.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' }))
  await queries.invalidateQueries(filters, { cancelRefetch: false })
  if (early.size === 0) return
  await queries.invalidateQueries({ predicate: query => early.has(query) }, { cancelRefetch: false })
}
