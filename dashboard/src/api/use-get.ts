/** Queries for pages: `useGet('media', { query: { ordner } })`. The key begins with the route's name. */
import {
  keepPreviousData,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { get } from './client.ts'
import type { GetRoutes } from './routes.ts'

type Path = keyof GetRoutes & string
type QueryOf<P extends Path> = GetRoutes[P] extends { query: infer Query } ? Query : undefined
type AnswerOf<P extends Path> = GetRoutes[P]['answer']

export interface GetOptions<P extends Path> {
  query?: QueryOf<P>
  enabled?: boolean
  /** Keeps showing the last page while the next one loads. */
  keepPrevious?: boolean
  /** Milliseconds until the next request; false: none. */
  refetchInterval?: (answer: AnswerOf<P> | undefined) => number | false
}

export const keyOf = (path: string, query?: object) => [...path.split('/'), ...(query ? [query] : [])]

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

/** The answers to several queries of one route, in their order; undefined while one has none. */
export function useGetAll<P extends Path>(
  path: P,
  queries: readonly QueryOf<P>[],
): readonly (AnswerOf<P> | undefined)[] {
  return useQueries({ queries: queries.map(query => queryOf(path, query)), combine: answersOf })
}

const answersOf = <Answer>(results: readonly { data: Answer | undefined }[]) =>
  results.map(({ data }) => data)

/** Fetches data before it is needed. */
export function useAskAhead() {
  const queries = useQueryClient()
  return <P extends Path>(path: P, query: QueryOf<P>) => void queries.prefetchQuery(queryOf(path, query))
}

const queryOf = <P extends Path>(path: P, query: QueryOf<P> | undefined) => ({
  queryKey: keyOf(path, query as object | undefined),
  queryFn: ({ signal }: { signal: AbortSignal }) => ask(path, { query, signal }) as Promise<AnswerOf<P>>,
})

/** The types are those of `get`; a conditional type is only known at each call. */
const ask = get as (path: string, given: object) => Promise<unknown>
