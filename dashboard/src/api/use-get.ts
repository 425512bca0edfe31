/** Queries for pages: `useGet('media', { query: { ordner } })`. The key begins with the route's name. */
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { get } from './client.ts'
import type { GetRoutes } from './routes.ts'

export type Path = keyof GetRoutes & string
export type QueryOf<P extends Path> = GetRoutes[P] extends { query: infer Query } ? Query : undefined
export type AnswerOf<P extends Path> = GetRoutes[P]['answer']

export interface GetOptions<P extends Path> {
  query?: QueryOf<P>
  enabled?: boolean
  /** Keeps returning the previous answer while the next one loads. */
  keepPrevious?: boolean
  /** Returns the milliseconds until the next request; false: no further request. */
  refetchInterval?: (answer: AnswerOf<P> | undefined) => number | false
}

export const queryKeyOf = (path: string, query?: object) => [...path.split('/'), ...(query ? [query] : [])]

export function useGet<P extends Path>(
  path: P,
  options: GetOptions<P> = {},
): UseQueryResult<AnswerOf<P>, Error> {
  const { query, enabled, keepPrevious, refetchInterval } = options
  return useQuery<AnswerOf<P>, Error>({
    ...queryOf(path, query),
    ...(enabled !== undefined && { enabled }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(refetchInterval && { refetchInterval: ({ state }) => refetchInterval(state.data) }),
  })
}

/** Returns a function that fetches the answer to a query before a component needs it. */
export function usePrefetch() {
  const queries = useQueryClient()
  return <P extends Path>(path: P, query: QueryOf<P>) => void queries.prefetchQuery(queryOf(path, query))
}

export const queryOf = <P extends Path>(path: P, query: QueryOf<P> | undefined) => ({
  queryKey: queryKeyOf(path, query as object | undefined),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    getUntyped(path, { query, signal }) as Promise<AnswerOf<P>>,
})

/** `get` with plain types: its conditional types cannot be resolved for a type parameter. */
const getUntyped = get as (path: string, given: object) => Promise<unknown>
