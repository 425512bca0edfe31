/**
 * Keeps what one looks at where it is while the files get other places: the opened file, or else the first
 * one in sight. When the details close, the scroll position from before they opened is restored.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { FileAnswer } from '../../types.ts'
import { type Box, type Layout, ORIGIN } from './layout.ts'

interface Anchored {
  gallery: RefObject<HTMLElement | null>
  files: readonly FileAnswer[]
  layout: Layout
  /** For which the layout was made. */
  width: number
  /** The path of the file in the details; empty if they are closed. */
  opened: string
}

export function useAnchor({ gallery, files, layout, width, opened }: Anchored): void {
  const former = useRef({ files, layout, opened })
  /** While the details are open: with which file and where they were opened, and which file they show. */
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
    // The layout for the present width is on its way.
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

/** Scrolls by as much as the anchor has moved. `preferred`: the index of the file to be kept; -1: any. */
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

/** Returns the path if its card is there, else an empty text. */
function bringIntoSight(gallery: HTMLElement | null, files: readonly FileAnswer[], path: string): string {
  const id = files.find(file => file.path === path)?.id
  const card = id && gallery?.querySelector(`[data-file="${CSS.escape(id)}"]`)
  if (!card) return ''
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return path
}

/** Of the list inside the gallery. */
export function widthOf(element: HTMLElement | null): number {
  if (!element) return 0
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}
