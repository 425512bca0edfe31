/** The end of a list with infinite scrolling: requests the next page before the user has scrolled to it. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { LoadingStatus } from '../../ui/skeletons.tsx'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from './search.ts'

/** Pixels between the window and the end of the list at which the next page is requested. */
const TRIGGER_DISTANCE = 1_500
/**
 * If fewer files than this follow the opened one, the next page is requested, so that the viewer can go on.
 */
const MIN_FILES_AFTER_OPENED = 5

export function NextPageTrigger() {
  const { listing } = useFilesPage()
  const { search } = useFilesAddress()
  const { files, hasMore, loadMore, pages } = listing
  const endOfList = useRef<HTMLDivElement>(null)
  const requestMore = useEffectEvent(() => loadMore())
  useEffect(() => {
    if (!hasMore || !endOfList.current) return
    const observer = new IntersectionObserver(
      entries => entries.some(each => each.isIntersecting) && requestMore(),
      {
        rootMargin: `${TRIGGER_DISTANCE}px`,
      },
    )
    observer.observe(endOfList.current)
    return () => observer.disconnect()
    // The observer is created anew after each page, because the end of the list may still be near.
  }, [hasMore, pages, files.length])

  const openedPath = search.gross || search.datei
  const isNearEnd = files.slice(-MIN_FILES_AFTER_OPENED).some(({ path }) => path === openedPath)
  useEffect(() => {
    if (isNearEnd) requestMore()
  }, [isNearEnd])
  return <div ref={endOfList}>{hasMore && <LoadingStatus />}</div>
}
