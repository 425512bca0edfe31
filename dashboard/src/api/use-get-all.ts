import { useQueries } from '@tanstack/react-query'
import { type AnswerOf, type GetPath, type QueryOf, queryOptionsOf } from './use-get.ts'

/**
 * The answers to several queries of one route, in the order of the queries; each is undefined while its query
 * has no answer.
 */
export function useGetAll<P extends GetPath>(
  path: P,
  queries: readonly QueryOf<P>[],
): readonly (AnswerOf<P> | undefined)[] {
  return useQueries({ queries: queries.map(query => queryOptionsOf(path, query)), combine: answersOf })
}

const answersOf = <Answer>(results: readonly { data: Answer | undefined }[]) =>
  results.map(({ data }) => data)
