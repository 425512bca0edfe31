/** Selects the cards that a rubber band touches, which is drawn with the mouse. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type Box, ORIGIN } from './layout/layout.ts'

/** Pixels; a shorter movement counts as a click. */
const MIN_MOVEMENT = 4
/** Distance from the edge of the window, in pixels, at which scrolling begins. */
const EDGE = 48
const SCROLL_STEP = 16

/** A file and its box in the layout. */
interface BandCard {
  id: string
  box: Box | undefined
}

export interface RubberBandEvents {
  /** Returns all files of the list, rendered or not. */
  cards(): readonly BandCard[]
  /** Called after a click on the background. */
  onClear(): void
  /** Called when the drawing begins, to remember the selection. */
  onBegin(): void
  /** Called with the touched files; `keep`: in addition to the selection from when the drawing began. */
  onBand(ids: readonly string[], keep: boolean): void
}

export interface Rectangle {
  left: number
  top: number
  right: number
  bottom: number
}

export const rectangleOf = (a: { x: number; y: number }, b: { x: number; y: number }): Rectangle => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  right: Math.max(a.x, b.x),
  bottom: Math.max(a.y, b.y),
})

export const touches = (a: Rectangle, b: Rectangle) =>
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
      // Prevents the browser from selecting text. This also prevents it from removing the focus, which is
      // done here instead.
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

/**
 * Draws the band until the button is released; the returned function ends this early. Positions are relative
 * to the gallery, so that scrolling does not change them.
 */
function draw({ element, band, from, cards: placed, clear, begin, choose }: BandDrawing): () => void {
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const anchor = placeOf(from)
  const keep = from.ctrlKey || from.metaKey || from.shiftKey
  const stop = new AbortController()
  let cards: { id: string; box: Rectangle }[] | null = null
  let pointer: { clientX: number; clientY: number } = from
  let frame = 0

  const step = () => {
    frame = 0
    if (!cards) return
    const box = rectangleOf(anchor, placeOf(pointer))
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

/** The boxes of the cards, relative to the gallery. */
function boxesIn(element: HTMLElement, cards: readonly BandCard[]): { id: string; box: Rectangle }[] {
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

function show(band: HTMLElement | null, box: Rectangle | null): void {
  if (!band) return
  band.hidden = box === null
  if (!box) return
  band.style.left = `${box.left}px`
  band.style.top = `${box.top}px`
  band.style.width = `${box.right - box.left}px`
  band.style.height = `${box.bottom - box.top}px`
}
