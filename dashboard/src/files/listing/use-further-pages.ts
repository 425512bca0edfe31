/** The further pages below the first one, for a list with infinite scrolling. */
import { useCallback, useMemo, useState } from 'react'
import { useGetAll } from '../../api/use-get-all.ts'
import type { LibraryAnswer } from '../types.ts'
import type { listingQuery } from './search.ts'

/**
 * Maximum number of pages in one list, since each change refetches all of them. The end of such a list has
 * page numbers.
 */
const PAGES_MAX = 20

/** `isFormer` says whether `first` is still the answer to the previous query. */
export function useFurtherPages(
  query: ReturnType<typeof listingQuery>,
  first: LibraryAnswer | undefined,
  isFormer: boolean,
  onward: boolean,
) {
  const key = JSON.stringify(query)
  const [asked, setAsked] = useState({ key, pages: 1 })
  const wanted = onward && !isFormer && asked.key === key ? asked.pages : 1
  const further = useGetAll(
    'media',
    Array.from({ length: wanted - 1 }, (_, at) => ({ ...query, seite: query.seite + at + 1 })),
  )
  const merged = useMemo(() => first && joinPages(first, further), [first, further])
  const pages = merged?.pages ?? 1
  const shown = query.seite - 1 + pages
  const hasMore = onward && pages < PAGES_MAX && first !== undefined && shown * first.anzahl < first.gesamt
  // While a page is being fetched, no other page is requested.
  const isReady = hasMore && pages === wanted
  const more = useCallback(() => {
    if (isReady) setAsked({ key, pages: wanted + 1 })
  }, [isReady, key, wanted])
  return { data: merged?.data, pages, hasMore, more }
}

/**
 * Joins pages into one answer, up to the first page that is missing. A file that has moved to another page
 * meanwhile is listed once.
 */
export function joinPages(
  first: LibraryAnswer,
  further: readonly (LibraryAnswer | undefined)[],
): { data: LibraryAnswer; pages: number } {
  const missing = further.indexOf(undefined)
  const there = (missing < 0 ? further : further.slice(0, missing)) as readonly LibraryAnswer[]
  if (there.length === 0) return { data: first, pages: 1 }
  const all = [first, ...there].flatMap(({ dateien }) => dateien)
  const files = [...new Map(all.map(file => [file.id, file])).values()]
  return { data: { ...first, dateien: files }, pages: there.length + 1 }
}
