/** Below a list that goes on by itself: asks for the next page before its end is reached. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { LoadingStatus } from '../../ui/skeletons.tsx'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from './search.ts'

/** Pixels below the window within which the end of the list must not lie. */
const AHEAD = 1_500
/** Files behind the opened one, so that a step in the viewer always has a next file. */
const BEHIND_OPENED = 5

export function Onward() {
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
    // Observed anew after each page: the end may still be near.
  }, [hasMore, pages, files.length])

  const opened = search.gross || search.datei
  const isNearEnd = files.slice(-BEHIND_OPENED).some(({ path }) => path === opened)
  useEffect(() => {
    if (isNearEnd) ask()
  }, [isNearEnd])
  return <div ref={end}>{hasMore && <LoadingStatus />}</div>
}
