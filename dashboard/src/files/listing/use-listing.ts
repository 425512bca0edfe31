/**
 * The list of files that the address describes. Refetching it does not move the files on screen, unless the
 * user has changed files or asked for the sorted order.
 */
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useGet, usePrefetch } from '../../api/use-get.ts'
import type { FilesSearch } from '../../state/addresses.ts'
import type { FileAnswer, LibraryAnswer } from '../types.ts'
import { listingKeyOf, listingQuery } from './search.ts'
import { mergeFiles, type StableList } from './stable-list.ts'
import { useFurtherPages } from './use-further-pages.ts'

/** The list on screen, with the query and the answer to which it belongs. */
interface ShownList extends StableList<FileAnswer> {
  key: string
  listKey: string
  answer: LibraryAnswer
  /** Number of consecutive pages that are shown. */
  pageCount: number
  /**
   * Whether the next answer is shown in its own order, because the user has changed files here or asked for
   * the sorted order.
   */
  adoptsNextOrder: boolean
}

export type Listing = ReturnType<typeof useListing>

const NO_FILES: readonly FileAnswer[] = []

const MIN_POLL_DELAY_MS = 1_500
/** The age of a file, in milliseconds, above which no preview of it is expected any more. */
const PREVIEW_TIMEOUT_MS = 10 * 60_000

/**
 * Milliseconds until the list is refetched to show the previews of new files; false if no preview is
 * expected. The delay grows with the age of the newest file without a preview. The service also reports each
 * new preview by an event, but not to windows that are connected to another instance of the service.
 */
export function previewPollDelay(files: readonly FileAnswer[], now: number): number | false {
  const ages = files
    .filter(({ vorschau, art }) => vorschau === null && (art === 'bilder' || art === 'video'))
    .map(({ updated_at }) => Math.abs(now - updated_at))
  const youngestAge = Math.min(...ages)
  return youngestAge < PREVIEW_TIMEOUT_MS && Math.max(MIN_POLL_DELAY_MS, youngestAge / 4)
}

/** With `hasInfiniteScrolling`, further pages are shown below the page of the address. */
export function useListing(search: FilesSearch, hasInfiniteScrolling: boolean) {
  const query = listingQuery(search)
  const {
    data: firstPage,
    dataUpdatedAt,
    error,
    isPlaceholderData,
    refetch,
  } = useGet('media', {
    query,
    keepPrevious: true,
    refetchInterval: answer => previewPollDelay(answer?.dateien ?? NO_FILES, Date.now()),
  })
  const [shownPage, setShownPage] = useState<ShownList | null>(null)
  const key = JSON.stringify(query)
  const { data, pageCount, hasMore, loadMore } = useFurtherPages(
    query,
    firstPage,
    isPlaceholderData,
    hasInfiniteScrolling,
  )
  usePrefetchNeighbours(query, isPlaceholderData ? undefined : data, pageCount, key, dataUpdatedAt)
  const listKey = listingKeyOf(search)

  const currentList = useMemo((): ShownList | null => {
    if (!data || isPlaceholderData || shownPage?.answer === data) return shownPage
    const keepsOrder = shownPage !== null && shownPage.key === key && !shownPage.adoptsNextOrder
    // The files of a page that was just added below already are at their sorted position, even if new files
    // of the other pages are not.
    const addedFiles =
      keepsOrder && pageCount > shownPage.pageCount
        ? data.dateien.slice(shownPage.pageCount * data.anzahl)
        : NO_FILES
    const nextList = keepsOrder
      ? mergeFiles(shownPage, data.dateien, addedFiles)
      : { files: data.dateien, waitingIds: [] }
    return { ...nextList, key, listKey, pageCount, answer: data, adoptsNextOrder: false }
  }, [shownPage, data, isPlaceholderData, key, listKey, pageCount])
  useLayoutEffect(() => setShownPage(currentList), [currentList])
  /** Shows all files in their sorted order, now and with the next answer. */
  const showSortedOrder = useCallback(() => {
    setShownPage(
      current =>
        current && { ...current, files: current.answer.dateien, waitingIds: [], adoptsNextOrder: true },
    )
  }, [])
  // Files of another folder must not be shown as files of this folder, neither while it loads nor after an
  // error.
  const isOtherPage = isPlaceholderData && currentList?.listKey === listKey
  const fittingList = currentList !== null && (currentList.key === key || isOtherPage) ? currentList : null
  const isAbsent = error instanceof ApiError && error.status === 404
  const showsPreviousList = useIsBrieflyTrue(isPlaceholderData && !isOtherPage && !error, key)
  return {
    /**
     * The last answer for this folder, search and filters; undefined if there is none yet, or if the folder
     * does not exist. The files to show are in `files`, not here.
     */
    data: isAbsent || (isPlaceholderData && !isOtherPage) ? undefined : data,
    files: isAbsent ? NO_FILES : (fittingList?.files ?? NO_FILES),
    /** The ids of new files that are not at their sorted position yet. */
    waitingIds: fittingList?.waitingIds ?? [],
    /** Whether another page or order is loading, while the previous one is still shown. */
    isPageLoading: isOtherPage && !error,
    /**
     * The previous list, shown for a moment after a change of folder or search, because most answers arrive
     * before a skeleton would be needed; otherwise null.
     */
    previousList: showsPreviousList ? previousListOf(currentList) : null,
    /** Whether the folder does not exist. An empty folder does not exist either. */
    isAbsent,
    error: isAbsent ? null : error,
    retry: () => void refetch(),
    /** Number of pages shown below each other. */
    pageCount,
    /** Whether `loadMore` can add a page. While a page is being added, `loadMore` does nothing. */
    hasMore,
    loadMore,
    showSortedOrder,
  }
}

const previousListOf = (shownPage: ShownList | null) =>
  shownPage && { dateien: shownPage.files, ordner: foldersOf(shownPage.answer) }

/** Folders are listed only on the first page. */
export const foldersOf = ({ seite, ordner }: LibraryAnswer) => (seite === 1 ? ordner : [])

/** Milliseconds for which the previous list stays visible before a skeleton takes its place. */
const SKELETON_DELAY_MS = 150

/** Whether `condition` is true, and has been true with this `key` for less than `SKELETON_DELAY_MS`. */
function useIsBrieflyTrue(condition: boolean, key: string): boolean {
  const [expiredKey, setExpiredKey] = useState('')
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(setExpiredKey, SKELETON_DELAY_MS, key)
    return () => {
      clearTimeout(timer)
      setExpiredKey('')
    }
  }, [condition, key])
  return condition && expiredKey !== key
}

/** Milliseconds between opening a page and prefetching its neighbours. Quick browsing prefetches nothing. */
const PREFETCH_DELAY_MS = 50
/**
 * Milliseconds after a change until neighbouring pages are prefetched again, so that during a large upload
 * only the shown page is refetched.
 */
const PREFETCH_DELAY_AFTER_CHANGE_MS = 1_000

/**
 * Prefetches the pages before and after the shown one. After a change of files, `useRefresh` drops prefetched
 * pages and refetches the shown page; then its neighbours are prefetched again.
 */
function usePrefetchNeighbours(
  query: ReturnType<typeof listingQuery>,
  data: LibraryAnswer | undefined,
  shownPageCount: number,
  key: string,
  updatedAt: number,
): void {
  const prefetch = usePrefetch()
  const lastKey = useRef('')
  const prefetchNeighbours = useEffectEvent(() => {
    const pageCount = Math.ceil((data?.gesamt ?? 0) / query.anzahl)
    for (const seite of [query.seite + shownPageCount, query.seite - 1])
      if (seite >= 1 && seite <= pageCount) prefetch('media', { ...query, seite })
  })
  const hasData = data !== undefined
  useEffect(() => {
    if (!hasData) return
    const delay = lastKey.current === key ? PREFETCH_DELAY_AFTER_CHANGE_MS : PREFETCH_DELAY_MS
    lastKey.current = key
    const timer = setTimeout(() => prefetchNeighbours(), delay)
    return () => clearTimeout(timer)
  }, [hasData, key, shownPageCount, updatedAt])
}
