/** Asking again for what is shown, after something has changed. */
import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * An answer on its way is not thrown away: with changes faster than answers none would ever arrive. It may be older than
 * the change, so its query is asked once more afterwards; any number of changes meanwhile need only one such request.
 */
export async function refreshQueries(queries: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const early = new Set(queries.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' }))
  await queries.invalidateQueries(filters, { cancelRefetch: false })
  if (early.size === 0) return
  await queries.invalidateQueries({ predicate: query => early.has(query) }, { cancelRefetch: false })
}
