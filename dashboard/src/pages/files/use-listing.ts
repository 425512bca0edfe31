/** The page of files that the address asks for; it updates itself without moving what is on the screen. */
import { useCallback, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useAskAhead, useGet } from '../../api/use-get.ts'
import { type FilesSearch, listingQuery, placeOf } from './search.ts'
import { type Still, settle } from './still-list.ts'
import type { FileAnswer, LibraryAnswer } from './types.ts'

interface Shown extends Still<FileAnswer> {
  key: string
  place: string
  source: LibraryAnswer
  /** The next answer is shown in its own order, since somebody here has asked for a change. */
  inOrder: boolean
}

export interface Listing {
  /** The last answer; its files are in `files`. */
  data: LibraryAnswer | undefined
  files: readonly FileAnswer[]
  /** Ids of new files that are not yet in their right place. */
  waiting: readonly string[]
  /** Another page or order is on its way; the former one is still shown. */
  turning: boolean
  /** There is no such folder. An empty folder is the same, since folders exist by their files. */
  absent: boolean
  error: Error | null
  retry(): void
  /** Asks for the next page, which is likely to be turned to. */
  askAhead(): void
  /** Puts everything in its right place, now and with the next answer. */
  takeOrder(): void
}

const NONE: readonly FileAnswer[] = []

const SOON = 1_500
/** A preview that is not there by then will not come. */
const GIVEN_UP = 10 * 60_000

/**
 * Milliseconds until new files may have got their previews, longer the older they are; false where no preview is
 * awaited. The service tells of previews too, but not every window hears every process.
 */
export function untilPreviews(files: readonly FileAnswer[], now: number): number | false {
  const ages = files
    .filter(({ vorschau, art }) => vorschau === null && (art === 'bilder' || art === 'video'))
    .map(({ updated_at }) => Math.abs(now - updated_at))
  const youngest = Math.min(...ages)
  return youngest < GIVEN_UP && Math.max(SOON, youngest / 4)
}

export function useListing(search: FilesSearch): Listing {
  const query = listingQuery(search)
  const { data, error, isPlaceholderData, refetch } = useGet('media', {
    query,
    keepPrevious: true,
    refetchInterval: answer => untilPreviews(answer?.dateien ?? NONE, Date.now()),
  })
  const askAhead = useAskAhead()
  const [shown, setShown] = useState<Shown | null>(null)
  const key = JSON.stringify(query)
  const place = placeOf(search)

  let current = shown
  if (data && !isPlaceholderData && shown?.source !== data) {
    const still = shown !== null && shown.key === key && !shown.inOrder
    const next = still ? settle(shown, data.dateien) : { files: data.dateien, waiting: [] }
    current = { ...next, key, place, source: data, inOrder: false }
    setShown(current)
  }
  const takeOrder = useCallback(() => {
    setShown(now => now && { ...now, files: now.source.dateien, waiting: [], inOrder: true })
  }, [])
  // The files of another folder must not be shown as those of this folder, neither while it is slow nor after a failure.
  const isTurning = isPlaceholderData && current?.place === place
  const fitting = current !== null && (current.key === key || isTurning) ? current : null
  const absent = error instanceof ApiError && error.status === 404
  return {
    data: absent || (isPlaceholderData && !isTurning) ? undefined : data,
    files: absent ? NONE : (fitting?.files ?? NONE),
    waiting: fitting?.waiting ?? [],
    turning: isTurning && !error,
    absent,
    error: absent ? null : error,
    retry: () => void refetch(),
    askAhead: () => askAhead('media', { ...query, seite: query.seite + 1 }),
    takeOrder,
  }
}
