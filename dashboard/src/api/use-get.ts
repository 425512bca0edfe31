/**
 * Hooks that fetch data: `useGet('media', { query: { ordner } })`. The query key begins with the parts of the
 * path.
 */
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { get } from './client.ts'
import type { GetRoutes } from './routes.ts'

export type GetPath = keyof GetRoutes & string
export type QueryOf<P extends GetPath> = GetRoutes[P] extends { query: infer Query } ? Query : undefined
export type AnswerOf<P extends GetPath> = GetRoutes[P]['answer']

export interface GetOptions<P extends GetPath> {
  query?: QueryOf<P>
  enabled?: boolean
  /** Keeps returning the previous answer while the next one loads. */
  keepPrevious?: boolean
  /** Returns the milliseconds until the next request; false: no further request. */
  refetchInterval?: (answer: AnswerOf<P> | undefined) => number | false
}

export const queryKeyOf = (path: string, query?: object) => [...path.split('/'), ...(query ? [query] : [])]

export function useGet<P extends GetPath>(
  path: P,
  options: GetOptions<P> = {},
): UseQueryResult<AnswerOf<P>, Error> {
  const { query, enabled, keepPrevious, refetchInterval } = options
  return useQuery<AnswerOf<P>, Error>({
    ...queryOptionsOf(path, query),
    ...(enabled !== undefined && { enabled }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(refetchInterval && { refetchInterval: ({ state }) => refetchInterval(state.data) }),
  })
}

/** Returns a function that fetches the answer to a query before a component needs it. */
export function usePrefetch() {
  const queryClient = useQueryClient()
  return <P extends GetPath>(path: P, query: QueryOf<P>) =>
    void queryClient.prefetchQuery(queryOptionsOf(path, query))
}

export const queryOptionsOf = <P extends GetPath>(path: P, query: QueryOf<P> | undefined) => ({
  queryKey: queryKeyOf(path, query as object | undefined),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    getUntyped(path, { query, signal }) as Promise<AnswerOf<P>>,
})

/** `get` without the types of the routes: its conditional types cannot be resolved for a type parameter. */
const getUntyped = get as (path: string, options: object) => Promise<unknown>
