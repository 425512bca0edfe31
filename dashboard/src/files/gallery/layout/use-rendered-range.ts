/**
 * Determines which files are rendered: all files of a page, or, with infinite scrolling, those near the
 * window.
 */
import { type RefObject, useEffect, useState } from 'react'
import { boxesBetween, type Layout, ORIGIN } from './layout.ts'

/** Pixels above and below the window in which files are rendered too. */
const MARGIN = 900
/** Pixels of scrolling after which the range is computed again. */
const STEP = 300

export type IndexRange = readonly [from: number, to: number]

export function useRenderedRange(
  gallery: RefObject<HTMLElement | null>,
  layout: Layout,
  isEndless: boolean,
): IndexRange {
  const [scrolled, setScrolled] = useState(0)
  useEffect(() => {
    if (!isEndless) return
    const follow = () => {
      const origin = gallery.current?.querySelector(ORIGIN)
      if (origin) setScrolled(Math.round(-origin.getBoundingClientRect().top / STEP) * STEP)
    }
    follow()
    addEventListener('scroll', follow, { passive: true })
    addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', follow)
      removeEventListener('resize', follow)
    }
  }, [gallery, isEndless, layout])
  if (!isEndless) return [0, layout.boxes.length]
  return boxesBetween(layout.boxes, scrolled - MARGIN - STEP, scrolled + window.innerHeight + MARGIN + STEP)
}
