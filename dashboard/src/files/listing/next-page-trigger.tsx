/** The end of a list with infinite scrolling: requests the next page before the user has scrolled to it. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { LoadingStatus } from '../../ui/skeletons.tsx'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from './search.ts'

/** Pixels between the window and the end of the list at which the next page is requested. */
const AHEAD = 1_500
/** Minimum number of loaded files after the opened one, so that the viewer always has a next file. */
const BEHIND_OPENED = 5

export function NextPageTrigger() {
  const { listing } = useFilesPage()
  const { search } = useFilesAddress()
  const { files, hasMore, more, pages } = listing
  const end = useRef<HTMLDivElement>(null)
  const ask = useEffectEvent(() => more())
  useEffect(() => {
    if (!hasMore || !end.current) return
    const observer = new IntersectionObserver(entries => entries.some(each => each.isIntersecting) && ask(), {
      rootMargin: `${AHEAD}px`,
    })
    observer.observe(end.current)
    return () => observer.disconnect()
    // The observer is created anew after each page, because the end of the list may still be near.
  }, [hasMore, pages, files.length])

  const opened = search.gross || search.datei
  const isNearEnd = files.slice(-BEHIND_OPENED).some(({ path }) => path === opened)
  useEffect(() => {
    if (isNearEnd) ask()
  }, [isNearEnd])
  return <div ref={end}>{hasMore && <LoadingStatus />}</div>
}
