/** The range of rendered files: the whole page or, with infinite scrolling, the files near the window. */
import { type RefObject, useEffect, useState } from 'react'
import { boxRangeBetween, type Layout } from './layout.ts'

/** Files that are at most this many pixels above or below the window are rendered too. */
const RENDER_MARGIN = 900
/** Pixels of scrolling after which the range is computed anew. */
const SCROLL_STEP = 300

export type IndexRange = readonly [from: number, to: number]

export function useRenderedRange(
  list: RefObject<HTMLElement | null>,
  layout: Layout,
  hasInfiniteScrolling: boolean,
): IndexRange {
  const [scrollOffset, setScrollOffset] = useState(0)
  useEffect(() => {
    if (!hasInfiniteScrolling) return
    const updateScrollOffset = () => {
      if (!list.current) return
      const { top } = list.current.getBoundingClientRect()
      setScrollOffset(Math.round(-top / SCROLL_STEP) * SCROLL_STEP)
    }
    updateScrollOffset()
    addEventListener('scroll', updateScrollOffset, { passive: true })
    addEventListener('resize', updateScrollOffset)
    return () => {
      removeEventListener('scroll', updateScrollOffset)
      removeEventListener('resize', updateScrollOffset)
    }
  }, [list, hasInfiniteScrolling, layout])
  if (!hasInfiniteScrolling) return [0, layout.boxes.length]
  return boxRangeBetween(
    layout.boxes,
    scrollOffset - RENDER_MARGIN - SCROLL_STEP,
    scrollOffset + window.innerHeight + RENDER_MARGIN + SCROLL_STEP,
  )
}
