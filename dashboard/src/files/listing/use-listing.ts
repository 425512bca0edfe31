/** The list of files that the address describes. It is updated without moving what is on screen. */
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useGet, usePrefetch } from '../../api/use-get.ts'
import type { FilesSearch } from '../../state/addresses.ts'
import type { FileAnswer, LibraryAnswer } from '../types.ts'
import { listingKeyOf, listingQuery } from './search.ts'
import { mergeFiles, type StillList } from './still-list.ts'
import { useFurtherPages } from './use-further-pages.ts'

interface ShownPage extends StillList<FileAnswer> {
  key: string
  place: string
  source: LibraryAnswer
  /** Number of consecutive pages that are shown. */
  pages: number
  /** Whether the next answer is shown in its own order, because the user has changed something here. */
  inOrder: boolean
}

export type Listing = ReturnType<typeof useListing>

const NONE: readonly FileAnswer[] = []

const SOON = 1_500
/** Milliseconds after which no preview is expected any more. */
const PREVIEW_TIMEOUT = 10 * 60_000

/**
 * Milliseconds until the next request for previews, since new files have none at first; longer for older
 * files, false if no preview is expected. The service also reports previews by event, but not to windows that
 * are connected to another process.
 */
export function untilPreviews(files: readonly FileAnswer[], now: number): number | false {
  const ages = files
    .filter(({ vorschau, art }) => vorschau === null && (art === 'bilder' || art === 'video'))
    .map(({ updated_at }) => Math.abs(now - updated_at))
  const youngest = Math.min(...ages)
  return youngest < PREVIEW_TIMEOUT && Math.max(SOON, youngest / 4)
}

/** `onward` says whether further pages are shown below the page of the address (infinite scrolling). */
export function useListing(search: FilesSearch, onward: boolean) {
  const query = listingQuery(search)
  const {
    data: first,
    dataUpdatedAt,
    error,
    isPlaceholderData,
    refetch,
  } = useGet('media', {
    query,
    keepPrevious: true,
    refetchInterval: answer => untilPreviews(answer?.dateien ?? NONE, Date.now()),
  })
  const [shown, setShown] = useState<ShownPage | null>(null)
  const key = JSON.stringify(query)
  const { data, pages, hasMore, more } = useFurtherPages(query, first, isPlaceholderData, onward)
  useNeighbouringPages(query, isPlaceholderData ? undefined : data, pages, key, dataUpdatedAt)
  const place = listingKeyOf(search)

  const current = useMemo((): ShownPage | null => {
    if (!data || isPlaceholderData || shown?.source === data) return shown
    const still = shown !== null && shown.key === key && !shown.inOrder
    // The files of a page that has just been added are at their position, however many other files are
    // waiting.
    const added = still && pages > shown.pages ? data.dateien.slice(shown.pages * data.anzahl) : NONE
    const next = still ? mergeFiles(shown, data.dateien, added) : { files: data.dateien, waiting: [] }
    return { ...next, key, place, pages, source: data, inOrder: false }
  }, [shown, data, isPlaceholderData, key, place, pages])
  useLayoutEffect(() => setShown(current), [current])
  /** Shows all files in their sorted order, now and with the next answer. */
  const takeOrder = useCallback(() => {
    setShown(now => now && { ...now, files: now.source.dateien, waiting: [], inOrder: true })
  }, [])
  // Files of another folder must not be shown as files of this folder, neither while it loads nor after an
  // error.
  const isTurning = isPlaceholderData && current?.place === place
  const fitting = current !== null && (current.key === key || isTurning) ? current : null
  const absent = error instanceof ApiError && error.status === 404
  const isLeaving = useMoment(isPlaceholderData && !isTurning && !error, key)
  return {
    /** The last answer. The files to show are in `files`. */
    data: absent || (isPlaceholderData && !isTurning) ? undefined : data,
    files: absent ? NONE : (fitting?.files ?? NONE),
    /** New files that are not at their sorted position yet. */
    waiting: fitting?.waiting ?? [],
    /** Whether another page or order is loading, while the previous one is still shown. */
    turning: isTurning && !error,
    /**
     * The previous list, which stays visible for a moment after a change of folder or search: most answers
     * arrive before a skeleton would be shown.
     */
    leaving: isLeaving ? previousPlace(current) : null,
    /** Whether there is no such folder. An empty folder does not exist either. */
    absent,
    error: absent ? null : error,
    retry: () => void refetch(),
    /** Number of pages shown below each other. */
    pages,
    /** Whether `more` can add a page. */
    hasMore,
    more,
    takeOrder,
  }
}

const previousPlace = (shown: ShownPage | null) =>
  shown && { dateien: [...shown.files], ordner: foldersOf(shown.source) }

/** Folders are listed only on the first page. */
export const foldersOf = ({ seite, ordner }: LibraryAnswer) => (seite === 1 ? ordner : [])

/** Milliseconds before a skeleton is shown. */
const MOMENT = 150

/** Whether `holds` is true and has been for less than a moment; another key starts a new moment. */
function useMoment(holds: boolean, key: string): boolean {
  const [over, setOver] = useState('')
  useEffect(() => {
    if (!holds) return
    const timer = setTimeout(setOver, MOMENT, key)
    return () => clearTimeout(timer)
  }, [holds, key])
  return holds && over !== key
}

/** Milliseconds after the last key or click until neighbouring pages are prefetched. */
const SETTLED_AFTER = 50
/**
 * Milliseconds after a change until neighbouring pages are prefetched again, so that during a large upload
 * only the shown page is refetched.
 */
const QUIET_MS = 1_000

/**
 * Prefetches the pages before and after the shown one. A change drops prefetched pages (`useRefresh`) and
 * refetches the shown page; then its neighbours are prefetched again.
 */
function useNeighbouringPages(
  query: ReturnType<typeof listingQuery>,
  data: LibraryAnswer | undefined,
  shown: number,
  key: string,
  updatedAt: number,
): void {
  const askAhead = usePrefetch()
  const lastKey = useRef('')
  const ask = useEffectEvent(() => {
    const pages = Math.ceil((data?.gesamt ?? 0) / query.anzahl)
    for (const seite of [query.seite + shown, query.seite - 1])
      if (seite >= 1 && seite <= pages) askAhead('media', { ...query, seite })
  })
  const isThere = data !== undefined
  useEffect(() => {
    if (!isThere) return
    const pause = lastKey.current === key ? QUIET_MS : SETTLED_AFTER
    lastKey.current = key
    const timer = setTimeout(() => ask(), pause)
    return () => clearTimeout(timer)
  }, [isThere, key, shown, updatedAt])
}
