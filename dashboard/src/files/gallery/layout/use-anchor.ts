/**
 * Keeps one file at its position in the window when the layout changes: the opened file or, if there is none
 * in sight, the first file in sight. Opening a file scrolls to its card. Closing the details restores the
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
  opened: string
}

export function useAnchor({ gallery, files, layout, width, opened }: AnchorInput): void {
  const lastRendering = useRef({ files, layout, opened })
  /**
   * Set while the details are open: the path of their first file, the path of the file that they show now,
   * and the scroll position when they were opened.
   */
  const openDetails = useRef<{ first: string; latest: string; scroll: number } | null>(null)
  const scrolledTo = useRef('')
  useLayoutEffect(() => {
    const previous = lastRendering.current
    lastRendering.current = { files, layout, opened }
    if (opened !== '') {
      openDetails.current =
        previous.opened !== '' && openDetails.current
          ? { ...openDetails.current, latest: opened }
          : { first: opened, latest: opened, scroll: scrollY }
    }
    // The layout for the current width has not been computed yet; the effect runs again after that.
    if (widthOf(gallery.current) !== width) return

    const closedDetails = opened === '' ? openDetails.current : null
    if (closedDetails) openDetails.current = null
    // The scroll position is not restored if the user has browsed to another file in the details: the page
    // then stays at that file.
    if (closedDetails && closedDetails.first === closedDetails.latest) {
      scrollTo({ top: closedDetails.scroll, behavior: 'instant' })
      return
    }
    if (previous.files === files && previous.layout !== layout) {
      const openedIndex = files.findIndex(({ path }) => path === (opened || closedDetails?.latest))
      scrollWithFile(gallery.current, previous.layout.boxes, layout.boxes, openedIndex)
    }
    if (opened !== scrolledTo.current) scrolledTo.current = scrollToCard(gallery.current, files, opened)
  }, [gallery, files, layout, width, opened])
}

/**
 * Scrolls by the distance that a file has moved: the file at index `preferred` or, if that is -1 or out of
 * sight, the first file in sight.
 */
function scrollWithFile(
  gallery: HTMLElement | null,
  boxesBefore: readonly Box[],
  boxesNow: readonly Box[],
  preferred: number,
): void {
  const origin = gallery?.querySelector(ORIGIN_SELECTOR)
  // Without a preferred file, a page that is scrolled to the top stays there.
  if (!origin || (preferred < 0 && scrollY === 0)) return
  const { top } = origin.getBoundingClientRect()
  const isInSight = (box: Box | undefined) =>
    box !== undefined && top + box.top + box.height > 0 && top + box.top < innerHeight
  const anchorIndex = isInSight(boxesBefore[preferred]) ? preferred : boxesBefore.findIndex(isInSight)
  const [from, to] = [boxesBefore[anchorIndex], boxesNow[anchorIndex]]
  if (from && to && from.top !== to.top) scrollBy({ top: to.top - from.top, behavior: 'instant' })
}

/** Scrolls to the card of this path. Returns the path, or an empty string if there is no such card. */
function scrollToCard(gallery: HTMLElement | null, files: readonly FileAnswer[], path: string): string {
  const id = files.find(file => file.path === path)?.id
  const card = id && gallery?.querySelector(`[data-file="${CSS.escape(id)}"]`)
  if (!card) return ''
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return path
}

/** The width of the list inside the gallery, without the padding of the gallery. */
export function widthOf(element: HTMLElement | null): number {
  if (!element) return 0
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}
