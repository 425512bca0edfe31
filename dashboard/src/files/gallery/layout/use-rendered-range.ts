/**
 * Determines which files are rendered: all files of a page, or, with infinite scrolling, those near the
 * window.
 */
import { type RefObject, useEffect, useState } from 'react'
import { boxesBetween, type Layout, ORIGIN_SELECTOR } from './layout.ts'

/** Pixels above and below the window in which files are rendered too. */
const MARGIN = 900
/** Pixels of scrolling after which the range is computed again. */
const SCROLL_STEP = 300

export type IndexRange = readonly [from: number, to: number]

export function useRenderedRange(
  gallery: RefObject<HTMLElement | null>,
  layout: Layout,
  isEndless: boolean,
): IndexRange {
  const [scrolled, setScrolled] = useState(0)
  useEffect(() => {
    if (!isEndless) return
    const updateScrolled = () => {
      const origin = gallery.current?.querySelector(ORIGIN_SELECTOR)
      if (origin) setScrolled(Math.round(-origin.getBoundingClientRect().top / SCROLL_STEP) * SCROLL_STEP)
    }
    updateScrolled()
    addEventListener('scroll', updateScrolled, { passive: true })
    addEventListener('resize', updateScrolled)
    return () => {
      removeEventListener('scroll', updateScrolled)
      removeEventListener('resize', updateScrolled)
    }
  }, [gallery, isEndless, layout])
  if (!isEndless) return [0, layout.boxes.length]
  return boxesBetween(
    layout.boxes,
    scrolled - MARGIN - SCROLL_STEP,
    scrolled + window.innerHeight + MARGIN + SCROLL_STEP,
  )
}
