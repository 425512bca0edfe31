/** With infinite scrolling: the further pages of the list, which are shown below the first one. */
import { useCallback, useMemo, useState } from 'react'
import { useGetAll } from '../../api/use-get-all.ts'
import type { LibraryAnswer } from '../types.ts'
import type { listingQuery } from './search.ts'

/**
 * Maximum number of pages in one list. It is limited because each change of files refetches all these pages.
 * The remaining files are reached by the page numbers below the list.
 */
const MAX_PAGES = 20

/** If `isPlaceholder` is true, `firstPage` is still the answer to the previous query. */
export function useFurtherPages(
  query: ReturnType<typeof listingQuery>,
  firstPage: LibraryAnswer | undefined,
  isPlaceholder: boolean,
  hasInfiniteScrolling: boolean,
) {
  const key = JSON.stringify(query)
  const [requestedPages, setRequest] = useState({ key, pageCount: 1 })
  const requestedPageCount =
    hasInfiniteScrolling && !isPlaceholder && requestedPages.key === key ? requestedPages.pageCount : 1
  const furtherAnswers = useGetAll(
    'media',
    Array.from({ length: requestedPageCount - 1 }, (_, index) => ({
      ...query,
      seite: query.seite + index + 1,
    })),
  )
  const joinedPages = useMemo(
    () => firstPage && joinPages(firstPage, furtherAnswers),
    [firstPage, furtherAnswers],
  )
  const pageCount = joinedPages?.pageCount ?? 1
  const lastShownPage = query.seite - 1 + pageCount
  const hasMore =
    hasInfiniteScrolling &&
    pageCount < MAX_PAGES &&
    firstPage !== undefined &&
    lastShownPage * firstPage.anzahl < firstPage.gesamt
  // While a page is being fetched, no other page is requested.
  const canLoadMore = hasMore && pageCount === requestedPageCount
  const loadMore = useCallback(() => {
    if (canLoadMore) setRequest({ key, pageCount: requestedPageCount + 1 })
  }, [canLoadMore, key, requestedPageCount])
  return { data: joinedPages?.data, pageCount, hasMore, loadMore }
}

/**
 * Joins pages into one answer, up to the first page that has not been loaded. A file that has moved to
 * another page between the requests is listed once.
 */
export function joinPages(
  firstPage: LibraryAnswer,
  furtherPages: readonly (LibraryAnswer | undefined)[],
): { data: LibraryAnswer; pageCount: number } {
  const missingIndex = furtherPages.indexOf(undefined)
  const loadedPages = (
    missingIndex < 0 ? furtherPages : furtherPages.slice(0, missingIndex)
  ) as readonly LibraryAnswer[]
  if (loadedPages.length === 0) return { data: firstPage, pageCount: 1 }
  const allFiles = [firstPage, ...loadedPages].flatMap(({ dateien }) => dateien)
  const files = [...new Map(allFiles.map(file => [file.id, file])).values()]
  return { data: { ...firstPage, dateien: files }, pageCount: loadedPages.length + 1 }
}
