/** The end of a list with infinite scrolling. The next page is requested before the user reaches this end. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { LoadingStatus } from '../../ui/skeletons.tsx'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from './search.ts'

/** Distance between the window and the end of the list, in pixels, at which the next page is requested. */
const TRIGGER_DISTANCE = 1_500
/**
 * If fewer files than this follow the file in the details or the viewer, the next page is requested, so that
 * the user can browse on.
 */
const MIN_FILES_AFTER_OPENED = 5

export function NextPageTrigger() {
  const { listing } = useFilesPage()
  const { search } = useFilesAddress()
  const { files, hasMore, loadMore, pageCount } = listing
  const endOfList = useRef<HTMLDivElement>(null)
  const requestMore = useEffectEvent(() => loadMore())
  useEffect(() => {
    if (!hasMore || !endOfList.current) return
    const observer = new IntersectionObserver(
      entries => entries.some(entry => entry.isIntersecting) && requestMore(),
      {
        rootMargin: `${TRIGGER_DISTANCE}px`,
      },
    )
    observer.observe(endOfList.current)
    return () => observer.disconnect()
    // A new observer is created after each page: the old one would report nothing if the end of the list is
    // still near.
  }, [hasMore, pageCount, files.length])

  const openedPath = search.gross || search.datei
  const isNearEnd = files.slice(-MIN_FILES_AFTER_OPENED).some(({ path }) => path === openedPath)
  useEffect(() => {
    if (isNearEnd) requestMore()
  }, [isNearEnd])
  return <div ref={endOfList}>{hasMore && <LoadingStatus />}</div>
}
