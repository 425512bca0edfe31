/**
 * Keeps one file at its position in the window when the layout changes: the opened file, or else the first
 * one in sight. When the details are closed, the scroll position from before they were opened is restored.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { FileAnswer } from '../../types.ts'
import { type Box, type Layout, ORIGIN } from './layout.ts'

interface Anchored {
  gallery: RefObject<HTMLElement | null>
  files: readonly FileAnswer[]
  layout: Layout
  /** The width for which the layout was made. */
  width: number
  /** The path of the file in the details; empty if they are closed. */
  opened: string
}

export function useAnchor({ gallery, files, layout, width, opened }: Anchored): void {
  const former = useRef({ files, layout, opened })
  /**
   * While the details are open: the file with which they were opened, the file that they show now, and the
   * scroll position when they were opened.
   */
  const details = useRef<{ first: string; latest: string; scroll: number } | null>(null)
  const shown = useRef('')
  useLayoutEffect(() => {
    const before = former.current
    former.current = { files, layout, opened }
    if (opened !== '') {
      details.current =
        before.opened !== '' && details.current
          ? { ...details.current, latest: opened }
          : { first: opened, latest: opened, scroll: scrollY }
    }
    // The layout for the present width has not been computed yet.
    if (widthOf(gallery.current) !== width) return

    const closed = opened === '' ? details.current : null
    if (closed) details.current = null
    // After browsing to another file, the page keeps the scroll position of that file.
    if (closed && closed.first === closed.latest) {
      scrollTo({ top: closed.scroll, behavior: 'instant' })
      return
    }
    if (before.files === files && before.layout !== layout) {
      const at = files.findIndex(({ path }) => path === (opened || closed?.latest))
      follow(gallery.current, before.layout.boxes, layout.boxes, at)
    }
    if (opened !== shown.current) shown.current = bringIntoSight(gallery.current, files, opened)
  }, [gallery, files, layout, width, opened])
}

/**
 * Scrolls by the distance that a file has moved: the file with the index `preferred`, or the first one in
 * sight if that is -1 or out of sight.
 */
function follow(
  gallery: HTMLElement | null,
  before: readonly Box[],
  now: readonly Box[],
  preferred: number,
): void {
  const origin = gallery?.querySelector(ORIGIN)
  // A page that is scrolled to the top stays there.
  if (!origin || (preferred < 0 && scrollY === 0)) return
  const { top } = origin.getBoundingClientRect()
  const isInSight = (box: Box | undefined) =>
    box !== undefined && top + box.top + box.height > 0 && top + box.top < innerHeight
  const anchor = isInSight(before[preferred]) ? preferred : before.findIndex(isInSight)
  const [from, to] = [before[anchor], now[anchor]]
  if (from && to && from.top !== to.top) scrollBy({ top: to.top - from.top, behavior: 'instant' })
}

/** Scrolls to the card of this path. Returns the path, or an empty string if there is no such card. */
function bringIntoSight(gallery: HTMLElement | null, files: readonly FileAnswer[], path: string): string {
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
