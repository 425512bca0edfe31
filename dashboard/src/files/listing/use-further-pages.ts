/** Further pages below the first one, for a list with infinite scrolling. */
import { useCallback, useMemo, useState } from 'react'
import { useGetAll } from '../../api/use-get-all.ts'
import type { LibraryAnswer } from '../types.ts'
import type { listingQuery } from './search.ts'

/** Each change refetches all of them, so there must not be too many; then the page numbers follow. */
const PAGES_MAX = 20

/** `isFormer`: whether `first` belongs to another query, whose place it holds. */
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
  const merged = useMemo(() => first && joined(first, further), [first, further])
  const pages = merged?.pages ?? 1
  const shown = query.seite - 1 + pages
  const hasMore = onward && pages < PAGES_MAX && first !== undefined && shown * first.anzahl < first.gesamt
  // While a page is on its way, no other is asked for.
  const isReady = hasMore && pages === wanted
  const more = useCallback(() => {
    if (isReady) setAsked({ key, pages: wanted + 1 })
  }, [isReady, key, wanted])
  return { data: merged?.data, pages, hasMore, more }
}

/** As one answer, up to the first missing page. A file that changed pages meanwhile is listed once. */
export function joined(
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
