/** Selects the cards that a rubber band touches: a rectangle that the user draws with the mouse. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type Box, ORIGIN_SELECTOR } from './layout/layout.ts'

/** Movement in pixels below which a drag counts as a click. */
const MIN_DRAG_DISTANCE = 4
/** Distance from the edge of the window, in pixels, at which scrolling begins. */
const SCROLL_EDGE = 48
/** Pixels by which the window scrolls in each frame of the animation. */
const SCROLL_STEP = 16

/** A file and its box in the layout. */
interface BandCard {
  id: string
  box: Box | undefined
}

export interface RubberBandEvents {
  /** Returns all files of the list, rendered or not. */
  getCards(): readonly BandCard[]
  /** Called after a click on the background without Ctrl, Cmd or Shift. */
  onClear(): void
  /** Called when the drawing begins; the caller stores the selection. */
  onBegin(): void
  /**
   * Called with the ids of the files that the band touches. With `keepsSelection`, they are added to the
   * selection from when the drawing began.
   */
  onBandChange(ids: readonly string[], keepsSelection: boolean): void
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

export const overlaps = (a: Rectangle, b: Rectangle) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

export function useRubberBand(
  gallery: RefObject<HTMLElement | null>,
  bandElement: RefObject<HTMLElement | null>,
  events: RubberBandEvents,
): void {
  const getCards = useEffectEvent(events.getCards)
  const clear = useEffectEvent(events.onClear)
  const begin = useEffectEvent(events.onBegin)
  const selectFiles = useEffectEvent(events.onBandChange)
  useEffect(() => {
    const element = gallery.current
    if (!element) return
    let endDrawing: (() => void) | undefined
    const startDrawing = (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType !== 'mouse') return
      if ((event.target as Element).closest('[data-file], a, button, input, th')) return
      // Prevents the browser from selecting text. The browser then does not remove the focus either, so the
      // focus is removed below.
      event.preventDefault()
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      endDrawing = drawBand({
        element,
        bandElement: bandElement.current,
        startEvent: event,
        getCards,
        clear,
        storeSelection: begin,
        selectFiles,
      })
    }
    element.addEventListener('pointerdown', startDrawing)
    return () => {
      element.removeEventListener('pointerdown', startDrawing)
      endDrawing?.()
    }
  }, [gallery, bandElement])
}

interface BandDrawingOptions {
  element: HTMLElement
  bandElement: HTMLElement | null
  startEvent: PointerEvent
  getCards(): readonly BandCard[]
  clear(): void
  storeSelection(): void
  selectFiles(ids: readonly string[], keepsSelection: boolean): void
}

/**
 * Draws the band until the button is released. The returned function ends the drawing early. Positions are
 * relative to the gallery, so that scrolling does not change them.
 */
function drawBand({
  element,
  bandElement,
  startEvent,
  getCards,
  clear,
  storeSelection: begin,
  selectFiles,
}: BandDrawingOptions): () => void {
  const positionOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const anchor = positionOf(startEvent)
  const keepsSelection = startEvent.ctrlKey || startEvent.metaKey || startEvent.shiftKey
  const abortController = new AbortController()
  let cards: { id: string; box: Rectangle }[] | null = null
  let pointer: { clientX: number; clientY: number } = startEvent
  let frameRequestId = 0

  const updateBand = () => {
    frameRequestId = 0
    if (!cards) return
    const box = rectangleOf(anchor, positionOf(pointer))
    showBand(bandElement, box)
    selectFiles(
      cards.filter(card => overlaps(card.box, box)).map(({ id }) => id),
      keepsSelection,
    )
    const scrollDistance = scrollDistanceAt(pointer.clientY)
    if (scrollDistance !== 0) {
      window.scrollBy(0, scrollDistance)
      frameRequestId = requestAnimationFrame(updateBand)
    }
  }
  const endDrawing = () => {
    abortController.abort()
    cancelAnimationFrame(frameRequestId)
    showBand(bandElement, null)
  }
  const listenerOptions = { signal: abortController.signal }
  window.addEventListener(
    'pointermove',
    event => {
      pointer = event
      if (
        !cards &&
        Math.hypot(event.clientX - startEvent.clientX, event.clientY - startEvent.clientY) < MIN_DRAG_DISTANCE
      )
        return
      if (!cards) {
        cards = boxesInGallery(element, getCards())
        begin()
      }
      frameRequestId ||= requestAnimationFrame(updateBand)
    },
    listenerOptions,
  )
  window.addEventListener(
    'pointerup',
    () => {
      if (!cards && !keepsSelection) clear()
      endDrawing()
    },
    listenerOptions,
  )
  window.addEventListener('pointercancel', endDrawing, listenerOptions)
  return endDrawing
}

/** The boxes of the cards, relative to the gallery. */
function boxesInGallery(element: HTMLElement, cards: readonly BandCard[]): { id: string; box: Rectangle }[] {
  const galleryRect = element.getBoundingClientRect()
  const origin = element.querySelector(ORIGIN_SELECTOR)?.getBoundingClientRect() ?? galleryRect
  const [x, y] = [origin.left - galleryRect.left, origin.top - galleryRect.top]
  return cards.flatMap(({ id, box }) => {
    if (!box) return []
    const [left, top] = [x + box.left, y + box.top]
    return [{ id, box: { left, top, right: left + box.width, bottom: top + box.height } }]
  })
}

function scrollDistanceAt(y: number): number {
  if (y < SCROLL_EDGE) return -SCROLL_STEP
  return y > window.innerHeight - SCROLL_EDGE ? SCROLL_STEP : 0
}

function showBand(bandElement: HTMLElement | null, box: Rectangle | null): void {
  if (!bandElement) return
  bandElement.hidden = box === null
  if (!box) return
  bandElement.style.left = `${box.left}px`
  bandElement.style.top = `${box.top}px`
  bandElement.style.width = `${box.right - box.left}px`
  bandElement.style.height = `${box.bottom - box.top}px`
}
