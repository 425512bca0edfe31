/** A rubber band drawn with the mouse selects the cards that it touches. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { ORIGIN, type Box as PlacedBox } from './layout/layout.ts'

/** Pixels; a shorter movement is an unsteady click. */
const MIN_MOVEMENT = 4
/** Pixels from the edge of the window at which scrolling begins. */
const EDGE = 48
const SCROLL_STEP = 16

/** A file and its place in the layout. */
interface BandCard {
  id: string
  box: PlacedBox | undefined
}

export interface RubberBandEvents {
  /** All files of the list, drawn or not. */
  cards(): readonly BandCard[]
  /** A click on the background. */
  onClear(): void
  /** `keep` of `onBand` adds to the selection as it is now. */
  onBegin(): void
  onBand(ids: readonly string[], keep: boolean): void
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export const boxOf = (a: { x: number; y: number }, b: { x: number; y: number }): Box => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  right: Math.max(a.x, b.x),
  bottom: Math.max(a.y, b.y),
})

export const touches = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

export function useRubberBand(
  gallery: RefObject<HTMLElement | null>,
  band: RefObject<HTMLElement | null>,
  events: RubberBandEvents,
): void {
  const cards = useEffectEvent(events.cards)
  const clear = useEffectEvent(events.onClear)
  const begin = useEffectEvent(events.onBegin)
  const choose = useEffectEvent(events.onBand)
  useEffect(() => {
    const element = gallery.current
    if (!element) return
    let running: (() => void) | undefined
    const start = (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType !== 'mouse') return
      if ((event.target as Element).closest('[data-file], a, button, input, th')) return
      // Keeps the browser from selecting text; the focus is then removed by hand.
      event.preventDefault()
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      running = draw({ element, band: band.current, from: event, cards, clear, begin, choose })
    }
    element.addEventListener('pointerdown', start)
    return () => {
      element.removeEventListener('pointerdown', start)
      running?.()
    }
  }, [gallery, band])
}

interface BandDrawing {
  element: HTMLElement
  band: HTMLElement | null
  from: PointerEvent
  cards(): readonly BandCard[]
  clear(): void
  begin(): void
  choose(ids: readonly string[], keep: boolean): void
}

/** Returns a function that ends the band. Positions are relative to the gallery, for scrolling. */
function draw({ element, band, from, cards: placed, clear, begin, choose }: BandDrawing): () => void {
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const anchor = placeOf(from)
  const keep = from.ctrlKey || from.metaKey || from.shiftKey
  const stop = new AbortController()
  let cards: { id: string; box: Box }[] | null = null
  let pointer: { clientX: number; clientY: number } = from
  let frame = 0

  const step = () => {
    frame = 0
    if (!cards) return
    const box = boxOf(anchor, placeOf(pointer))
    show(band, box)
    choose(
      cards.filter(card => touches(card.box, box)).map(({ id }) => id),
      keep,
    )
    const by = scrollBy(pointer.clientY)
    if (by !== 0) {
      window.scrollBy(0, by)
      frame = requestAnimationFrame(step)
    }
  }
  const end = () => {
    stop.abort()
    cancelAnimationFrame(frame)
    show(band, null)
  }
  const listen = { signal: stop.signal }
  window.addEventListener(
    'pointermove',
    event => {
      pointer = event
      if (!cards && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < MIN_MOVEMENT)
        return
      if (!cards) {
        cards = boxesIn(element, placed())
        begin()
      }
      frame ||= requestAnimationFrame(step)
    },
    listen,
  )
  window.addEventListener(
    'pointerup',
    () => {
      if (!cards && !keep) clear()
      end()
    },
    listen,
  )
  window.addEventListener('pointercancel', end, listen)
  return end
}

/** Relative to the gallery. */
function boxesIn(element: HTMLElement, cards: readonly BandCard[]): { id: string; box: Box }[] {
  const outer = element.getBoundingClientRect()
  const origin = element.querySelector(ORIGIN)?.getBoundingClientRect() ?? outer
  const [x, y] = [origin.left - outer.left, origin.top - outer.top]
  return cards.flatMap(({ id, box }) => {
    if (!box) return []
    const [left, top] = [x + box.left, y + box.top]
    return [{ id, box: { left, top, right: left + box.width, bottom: top + box.height } }]
  })
}

function scrollBy(y: number): number {
  if (y < EDGE) return -SCROLL_STEP
  return y > window.innerHeight - EDGE ? SCROLL_STEP : 0
}

function show(band: HTMLElement | null, box: Box | null): void {
  if (!band) return
  band.hidden = box === null
  if (!box) return
  band.style.left = `${box.left}px`
  band.style.top = `${box.top}px`
  band.style.width = `${box.right - box.left}px`
  band.style.height = `${box.bottom - box.top}px`
}
