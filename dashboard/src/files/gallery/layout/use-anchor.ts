/**
 * Keeps one file at its position in the window when the layout changes: the opened file or, if there is none
 * in view, the first file in view. Opening a file scrolls to its card. Closing the details restores the
 * scroll position from before they were opened, unless the user has browsed to another file in them.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { FileAnswer } from '../../types.ts'
import { type Box, type Layout, ORIGIN_SELECTOR } from './layout.ts'

interface AnchorInput {
  gallery: RefObject<HTMLElement | null>
  files: readonly FileAnswer[]
  layout: Layout
  /** The width for which the layout was made, in pixels. */
  width: number
  /** The path of the file in the details; empty if they are closed. */
  openedPath: string
}

export function useScrollAnchor({ gallery, files, layout, width, openedPath }: AnchorInput): void {
  const lastRendering = useRef({ files, layout, openedPath })
  /**
   * Set while the details are open: the path of their first file, the path of the file that they show now,
   * and the scroll position when they were opened.
   */
  const detailsState = useRef<{ firstPath: string; latestPath: string; scrollTop: number } | null>(null)
  const scrolledToPath = useRef('')
  useLayoutEffect(() => {
    const previousRendering = lastRendering.current
    lastRendering.current = { files, layout, openedPath }
    if (openedPath !== '') {
      detailsState.current =
        previousRendering.openedPath !== '' && detailsState.current
          ? { ...detailsState.current, latestPath: openedPath }
          : { firstPath: openedPath, latestPath: openedPath, scrollTop: scrollY }
    }
    // If the widths differ, the layout for the current width has not been computed yet. This effect runs
    // again once it has been.
    if (contentWidthOf(gallery.current) !== width) return

    const closedDetails = openedPath === '' ? detailsState.current : null
    if (closedDetails) detailsState.current = null
    // The scroll position is not restored if the user has browsed to another file in the details: the page
    // then stays at that file.
    if (closedDetails && closedDetails.firstPath === closedDetails.latestPath) {
      scrollTo({ top: closedDetails.scrollTop, behavior: 'instant' })
      return
    }
    if (previousRendering.files === files && previousRendering.layout !== layout) {
      const openedIndex = files.findIndex(({ path }) => path === (openedPath || closedDetails?.latestPath))
      scrollWithFile(gallery.current, previousRendering.layout.boxes, layout.boxes, openedIndex)
    }
    if (openedPath !== scrolledToPath.current)
      scrolledToPath.current = scrollToCard(gallery.current, files, openedPath)
  }, [gallery, files, layout, width, openedPath])
}

/**
 * Scrolls by the distance that a file has moved: the file at `preferredIndex` or, if that is -1 or the file
 * is out of view, the first file in view.
 */
function scrollWithFile(
  gallery: HTMLElement | null,
  boxesBefore: readonly Box[],
  boxesNow: readonly Box[],
  preferredIndex: number,
): void {
  const origin = gallery?.querySelector(ORIGIN_SELECTOR)
  // Without a preferred file, a page that is scrolled to the top stays there.
  if (!origin || (preferredIndex < 0 && scrollY === 0)) return
  const { top } = origin.getBoundingClientRect()
  const isInViewport = (box: Box | undefined) =>
    box !== undefined && top + box.top + box.height > 0 && top + box.top < innerHeight
  const anchorIndex = isInViewport(boxesBefore[preferredIndex])
    ? preferredIndex
    : boxesBefore.findIndex(isInViewport)
  const [boxBefore, boxNow] = [boxesBefore[anchorIndex], boxesNow[anchorIndex]]
  if (boxBefore && boxNow && boxBefore.top !== boxNow.top)
    scrollBy({ top: boxNow.top - boxBefore.top, behavior: 'instant' })
}

/** Scrolls to the card of this path. Returns the path, or an empty string if there is no such card. */
function scrollToCard(gallery: HTMLElement | null, files: readonly FileAnswer[], path: string): string {
  const id = files.find(file => file.path === path)?.id
  const card = id && gallery?.querySelector(`[data-file="${CSS.escape(id)}"]`)
  if (!card) return ''
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return path
}

/** The width of the list in pixels: that of the gallery (`element`) without its padding; 0 if it is null. */
export function contentWidthOf(element: HTMLElement | null): number {
  if (!element) return 0
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}
