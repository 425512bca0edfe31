/**
 * Mouse, touch and focus events of the cards. The gallery listens for the events of all cards, so that no
 * card needs listeners of its own.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { endDrag } from '../actions/drag.ts'

/** Milliseconds after which a touch without movement selects or deselects the file. */
const LONG_TOUCH_DELAY = 450
/** Pixels; a touch that moves further does not select or deselect the file. */
const MAX_LONG_TOUCH_MOVEMENT = 10

export interface PressModifiers {
  shift: boolean
  /** Ctrl, or Cmd on a Mac. */
  mod: boolean
}

export interface CardEvents {
  /** A click with the mouse or a pen. */
  onPress(id: string, modifiers: PressModifiers): void
  /** A tap with a finger. A double tap has no meaning of its own: it is two taps. */
  onTap(id: string): void
  /** A double click, or Enter on the link. */
  onOpen(id: string): void
  /** A click on the checkbox, or a long touch. */
  onCheck(id: string, modifiers: PressModifiers): void
  onMenu(id: string, position: { x: number; y: number }): void
  onDrag(id: string, transfer: DataTransfer): void
  onFocus(id: string): void
}

export function useCardEvents(gallery: RefObject<HTMLElement | null>, events: CardEvents): void {
  const callHandler = useEffectEvent(
    <Name extends keyof CardEvents>(name: Name, ...args: Parameters<CardEvents[Name]>) => {
      ;(events[name] as (...args: Parameters<CardEvents[Name]>) => void)(...args)
    },
  )
  useEffect(() => {
    const element = gallery.current
    if (!element) return
    const abortController = new AbortController()
    const addListener = createCardSubscriber(element, abortController.signal)
    const touchTracker = createTouchTracker(id => callHandler('onCheck', id, { shift: false, mod: true }))

    addListener('pointerdown', (event, id) => touchTracker.begin(event, id))
    for (const name of ['pointermove', 'pointerup', 'pointercancel'] as const)
      addListener(name, touchTracker.follow)
    addListener('click', (event, id, target) => {
      const modifiers = { shift: event.shiftKey, mod: event.ctrlKey || event.metaKey }
      const button = target.closest<HTMLElement>('[data-action]')
      if (button?.dataset.action === 'more') return callHandler('onMenu', id, bottomLeftOf(button))
      if (button) return
      if (target instanceof HTMLInputElement) return callHandler('onCheck', id, modifiers)
      if (event.button !== 0) return
      // Only a click with the middle button follows the link of a card, in a new tab.
      event.preventDefault()
      if (touchTracker.wasHeld()) return
      if (event.detail === 0) callHandler('onOpen', id)
      else if (touchTracker.isFinger()) callHandler('onTap', id)
      else callHandler('onPress', id, modifiers)
    })
    addListener('dblclick', (_event, id, target) => {
      if (!target.closest('[data-action], input') && !touchTracker.isFinger()) callHandler('onOpen', id)
    })
    addListener('contextmenu', (event, id, target) => {
      event.preventDefault()
      if (touchTracker.isFinger()) return
      // The event of the context menu key has no pointer position.
      const position =
        event.clientX === 0 && event.clientY === 0
          ? bottomLeftOf(target)
          : { x: event.clientX, y: event.clientY }
      callHandler('onMenu', id, position)
    })
    addListener('dragstart', (event, id) => {
      if (event.dataTransfer) callHandler('onDrag', id, event.dataTransfer)
    })
    addListener('dragend', endDrag)
    addListener('focusin', (_event, id) => callHandler('onFocus', id))
    return () => {
      abortController.abort()
      touchTracker.cancel()
    }
  }, [gallery])
}

/**
 * Returns a function that adds a listener for an event of all cards. The listener also gets the id of the
 * card's file, and the element in which the event occurred.
 */
const createCardSubscriber =
  (element: HTMLElement, signal: AbortSignal) =>
  <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name], id: string, target: Element) => void,
  ) => {
    const handleEvent = (event: HTMLElementEventMap[Name]) => {
      const target = event.target as Element
      const id = target.closest<HTMLElement>('[data-file]')?.dataset.file
      if (id !== undefined) listener(event, id, target)
    }
    element.addEventListener(name, handleEvent, { signal })
  }

function bottomLeftOf(element: Element): { x: number; y: number } {
  const { left, bottom } = element.getBoundingClientRect()
  return { x: left, y: bottom }
}

/**
 * Returns an object that follows touches. It calls `onHold` with the id of the touched file when a touch has
 * lasted `LONG_TOUCH_DELAY` without moving further than `MAX_LONG_TOUCH_MOVEMENT`.
 */
function createTouchTracker(onHold: (id: string) => void) {
  let isTouch = false
  let isHeld = false
  let startPoint: { x: number; y: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    clearTimeout(timer)
    startPoint = null
  }
  return {
    begin(event: PointerEvent, id: string) {
      isTouch = event.pointerType === 'touch'
      isHeld = false
      cancel()
      if (!isTouch) return
      startPoint = { x: event.clientX, y: event.clientY }
      timer = setTimeout(() => {
        isHeld = true
        onHold(id)
      }, LONG_TOUCH_DELAY)
    },
    follow(event: PointerEvent) {
      const hasMoved =
        startPoint &&
        Math.hypot(event.clientX - startPoint.x, event.clientY - startPoint.y) > MAX_LONG_TOUCH_MOVEMENT
      if (event.type !== 'pointermove' || hasMoved) cancel()
    },
    cancel,
    isFinger: () => isTouch,
    wasHeld: () => isHeld,
  }
}
