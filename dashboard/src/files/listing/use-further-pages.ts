/** With infinite scrolling: the further pages of the list, which are shown below the first one. */
import { useCallback, useMemo, useState } from 'react'
import { useGetAll } from '../../api/use-get-all.ts'
import type { LibraryAnswer } from '../types.ts'
import type { listingQuery } from './search.ts'

/**
 * Maximum number of pages in one list, since each change refetches all of them. The remaining files are
 * reached by page numbers below the list.
 */
const MAX_PAGES = 20

/**
 * `first` is the answer for the first page; if `isFormer` is true, it is still that to the previous query.
 */
export function useFurtherPages(
  query: ReturnType<typeof listingQuery>,
  first: LibraryAnswer | undefined,
  isFormer: boolean,
  hasInfiniteScrolling: boolean,
) {
  const key = JSON.stringify(query)
  const [request, setRequest] = useState({ key, pages: 1 })
  const requestedPages = hasInfiniteScrolling && !isFormer && request.key === key ? request.pages : 1
  const furtherAnswers = useGetAll(
    'media',
    Array.from({ length: requestedPages - 1 }, (_, at) => ({ ...query, seite: query.seite + at + 1 })),
  )
  const joinedPages = useMemo(() => first && joinPages(first, furtherAnswers), [first, furtherAnswers])
  const pages = joinedPages?.pages ?? 1
  const lastShownPage = query.seite - 1 + pages
  const hasMore =
    hasInfiniteScrolling &&
    pages < MAX_PAGES &&
    first !== undefined &&
    lastShownPage * first.anzahl < first.gesamt
  // While a page is being fetched, no other page is requested.
  const canLoadMore = hasMore && pages === requestedPages
  const loadMore = useCallback(() => {
    if (canLoadMore) setRequest({ key, pages: requestedPages + 1 })
  }, [canLoadMore, key, requestedPages])
  return { data: joinedPages?.data, pages, hasMore, loadMore }
}

/**
 * Joins pages into one answer, up to the first page that has not been loaded. A file that has moved to
 * another page meanwhile is listed once.
 */
export function joinPages(
  first: LibraryAnswer,
  further: readonly (LibraryAnswer | undefined)[],
): { data: LibraryAnswer; pages: number } {
  const missingIndex = further.indexOf(undefined)
  const loadedPages = (
    missingIndex < 0 ? further : further.slice(0, missingIndex)
  ) as readonly LibraryAnswer[]
  if (loadedPages.length === 0) return { data: first, pages: 1 }
  const allFiles = [first, ...loadedPages].flatMap(({ dateien }) => dateien)
  const files = [...new Map(allFiles.map(file => [file.id, file])).values()]
  return { data: { ...first, dateien: files }, pages: loadedPages.length + 1 }
}
