/** The page of files in the address; it updates without moving what is on screen. */
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useGet, usePrefetch } from '../../api/use-get.ts'
import type { FilesSearch } from '../../state/addresses.ts'
import type { FileAnswer, LibraryAnswer } from '../types.ts'
import { listingQuery, placeOf } from './search.ts'
import { type StillList, settle } from './still-list.ts'
import { useFurtherPages } from './use-further-pages.ts'

interface ShownPage extends StillList<FileAnswer> {
  key: string
  place: string
  source: LibraryAnswer
  /** Number of pages that are shown below each other. */
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
 * Milliseconds until new files may have previews, longer for older ones; false if none is expected. The
 * service reports previews too, but not to windows connected to other processes.
 */
export function untilPreviews(files: readonly FileAnswer[], now: number): number | false {
  const ages = files
    .filter(({ vorschau, art }) => vorschau === null && (art === 'bilder' || art === 'video'))
    .map(({ updated_at }) => Math.abs(now - updated_at))
  const youngest = Math.min(...ages)
  return youngest < PREVIEW_TIMEOUT && Math.max(SOON, youngest / 4)
}

/** `onward`: whether further pages may follow below the page of the address. */
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
  const place = placeOf(search)

  const current = useMemo((): ShownPage | null => {
    if (!data || isPlaceholderData || shown?.source === data) return shown
    const still = shown !== null && shown.key === key && !shown.inOrder
    // Files of a page that has just been added are at their place, however many others wait.
    const added = still && pages > shown.pages ? data.dateien.slice(shown.pages * data.anzahl) : NONE
    const next = still ? settle(shown, data.dateien, added) : { files: data.dateien, waiting: [] }
    return { ...next, key, place, pages, source: data, inOrder: false }
  }, [shown, data, isPlaceholderData, key, place, pages])
  useLayoutEffect(() => setShown(current), [current])
  /** Sorts all files, now and with the next answer. */
  const takeOrder = useCallback(() => {
    setShown(now => now && { ...now, files: now.source.dateien, waiting: [], inOrder: true })
  }, [])
  // Files of another folder must not be shown as this folder's, neither while it loads nor after an error.
  const isTurning = isPlaceholderData && current?.place === place
  const fitting = current !== null && (current.key === key || isTurning) ? current : null
  const absent = error instanceof ApiError && error.status === 404
  const isLeaving = useMoment(isPlaceholderData && !isTurning && !error, key)
  return {
    /** The last answer; its files are in `files`. */
    data: absent || (isPlaceholderData && !isTurning) ? undefined : data,
    files: absent ? NONE : (fitting?.files ?? NONE),
    /** New files that are not at their sorted position yet. */
    waiting: fitting?.waiting ?? [],
    /** Another page or order is loading; the previous one is still shown. */
    turning: isTurning && !error,
    /** The previous listing stays visible for a moment: most answers arrive before a skeleton would. */
    leaving: isLeaving ? previousPlace(current) : null,
    /** There is no such folder, or it is empty: a folder exists only while it has files. */
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

/** Whether `holds` has been true for a moment at most; another key starts over. */
function useMoment(holds: boolean, key: string): boolean {
  const [over, setOver] = useState('')
  useEffect(() => {
    if (!holds) return
    const timer = setTimeout(setOver, MOMENT, key)
    return () => clearTimeout(timer)
  }, [holds, key])
  return holds && over !== key
}

/** Milliseconds without another key or click before neighbouring pages are prefetched. */
const SETTLED_AFTER = 50
/** Milliseconds between a change and prefetching again: a large upload refetches only the shown page. */
const QUIET_MS = 1_000

/**
 * Prefetches the pages before and after the shown one. A change drops them (`useRefresh`) and refetches the
 * shown page; then they are prefetched again.
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
