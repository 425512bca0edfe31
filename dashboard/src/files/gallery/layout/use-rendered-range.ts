/** The range of rendered files: the whole page or, with infinite scrolling, the files near the window. */
import { type RefObject, useEffect, useState } from 'react'
import { boxesBetween, type Layout } from './layout.ts'

/** Pixels above and below the window in which files are rendered too. */
const MARGIN = 900
/** Pixels of scrolling after which the range is computed anew. */
const SCROLL_STEP = 300

export type IndexRange = readonly [from: number, to: number]

export function useRenderedRange(
  list: RefObject<HTMLElement | null>,
  layout: Layout,
  hasInfiniteScrolling: boolean,
): IndexRange {
  const [scrolled, setScrolled] = useState(0)
  useEffect(() => {
    if (!hasInfiniteScrolling) return
    const updateScrolled = () => {
      if (!list.current) return
      const { top } = list.current.getBoundingClientRect()
      setScrolled(Math.round(-top / SCROLL_STEP) * SCROLL_STEP)
    }
    updateScrolled()
    addEventListener('scroll', updateScrolled, { passive: true })
    addEventListener('resize', updateScrolled)
    return () => {
      removeEventListener('scroll', updateScrolled)
      removeEventListener('resize', updateScrolled)
    }
  }, [list, hasInfiniteScrolling, layout])
  if (!hasInfiniteScrolling) return [0, layout.boxes.length]
  return boxesBetween(
    layout.boxes,
    scrolled - MARGIN - SCROLL_STEP,
    scrolled + window.innerHeight + MARGIN + SCROLL_STEP,
  )
}
