/**
 * Keeps the opened card visible beside the drawer: the cards move to the left as far as needed, without
 * changing rows. When the drawer closes, the scroll position is restored.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { DETAILS_ID } from '../files-context.ts'

const CARDS = '[data-files]'
/** Pixels between the card and what would cover it. */
const GAP = 8

export function useKeepPlace(page: RefObject<HTMLElement | null>, opened: string | null): void {
  const before = useRef<{ id: string; scroll: number } | null>(null)
  const last = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (!page.current) return
    if (opened === null) {
      const cards = page.current.querySelector<HTMLElement>(CARDS)
      if (cards) cards.style.left = ''
      // After browsing to another file, the page keeps the scroll position of that file.
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
  const cards = page.querySelector<HTMLElement>(CARDS)
  const drawer = document.getElementById(DETAILS_ID)
  if (!card || !cards || !drawer) return
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const moved = Number.parseFloat(cards.style.left || '0')
  const covers = getComputedStyle(drawer).position === 'fixed'
  const { left, right, width } = card.getBoundingClientRect()
  const rightMost = drawer.getBoundingClientRect().left - GAP
  const leftMost = cards.parentElement!.getBoundingClientRect().left + GAP
  // A phone has no room for a card beside the drawer, and a list row begins at the left anyway.
  if (!covers || width > rightMost - leftMost) cards.style.left = ''
  else if (right > rightMost) cards.style.left = `${moved + rightMost - right}px`
  else if (left < leftMost) cards.style.left = `${Math.min(0, moved + leftMost - left)}px`
}
