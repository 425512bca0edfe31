/**
 * The opened card stays in sight, also where the drawer lies over the page: then the page moves to the left as far as
 * needed, without changing its rows. When the drawer closes, the page is where it was when the drawer opened.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Pixels between the card and what would cover it. */
const GAP = 8

export function useKeepPlace(page: RefObject<HTMLElement | null>, opened: string | null): void {
  const before = useRef<{ id: string; scroll: number } | null>(null)
  const last = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (!page.current) return
    if (opened === null) {
      page.current.style.left = ''
      // Who has leafed through other files meanwhile stays with the last of them.
      if (before.current && before.current.id === last.current) scrollTo({ top: before.current.scroll })
      before.current = null
      return
    }
    before.current ??= { id: opened, scroll: scrollY }
    last.current = opened
    bringIntoSight(page.current, opened)
  }, [page, opened])
  useEffect(() => {
    if (opened === null) return
    const again = () => page.current && bringIntoSight(page.current, opened)
    addEventListener('resize', again)
    return () => removeEventListener('resize', again)
  }, [page, opened])
}

function bringIntoSight(page: HTMLElement, id: string): void {
  const card = page.querySelector(`[data-file="${CSS.escape(id)}"]`)
  const drawer = page.querySelector('aside')
  if (!card || !drawer) return
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const shift = -Number.parseFloat(page.style.left || '0')
  const covers = getComputedStyle(drawer).position === 'fixed'
  const { left, right } = card.getBoundingClientRect()
  const rightMost = drawer.getBoundingClientRect().left - GAP
  const leftMost = page.getBoundingClientRect().left + shift
  // A drawer as wide as the window leaves no room for any card.
  if (!covers || rightMost < leftMost) page.style.left = ''
  else if (right > rightMost) page.style.left = `${rightMost - right - shift}px`
  else if (left < leftMost) page.style.left = `${Math.min(0, leftMost - left - shift)}px`
}
