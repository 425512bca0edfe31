/**
 * Mouse and touch events of the cards. The gallery listens for all of them, so that two hundred cards need no
 * handlers.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { endDrag } from '../actions/drag.ts'

/** Milliseconds after which a touch without movement selects the file. */
const HOLD = 450
const HOLD_SLACK = 10

export interface PressModifiers {
  shift: boolean
  /** Ctrl, or Cmd on a Mac. */
  mod: boolean
}

export interface CardEvents {
  /** A click with the mouse. */
  onPress(id: string, press: PressModifiers): void
  /** A tap with a finger, which has no double click. */
  onTap(id: string): void
  /** A double click, or Enter on the link. */
  onOpen(id: string): void
  /** A click on the checkbox, or a long touch. */
  onCheck(id: string, press: PressModifiers): void
  onMenu(id: string, at: { x: number; y: number }): void
  onDrag(id: string, transfer: DataTransfer): void
  onFocus(id: string): void
}

export function useCardEvents(gallery: RefObject<HTMLElement | null>, events: CardEvents): void {
  const hear = useEffectEvent(
    <Name extends keyof CardEvents>(name: Name, ...args: Parameters<CardEvents[Name]>) => {
      ;(events[name] as (...given: Parameters<CardEvents[Name]>) => void)(...args)
    },
  )
  useEffect(() => {
    const element = gallery.current
    if (!element) return
    const stop = new AbortController()
    const on = listenerOf(element, stop.signal)
    const touch = createTouch(id => hear('onCheck', id, { shift: false, mod: true }))

    on('pointerdown', (event, id) => touch.begin(event, id))
    for (const name of ['pointermove', 'pointerup', 'pointercancel'] as const) on(name, touch.follow)
    on('click', (event, id, target) => {
      const press = { shift: event.shiftKey, mod: event.ctrlKey || event.metaKey }
      const button = target.closest<HTMLElement>('[data-action]')
      if (button?.dataset.action === 'more') return hear('onMenu', id, pointBelow(button))
      if (button) return
      if (target instanceof HTMLInputElement) return hear('onCheck', id, press)
      if (event.button !== 0) return
      // The link is followed only by the middle button.
      event.preventDefault()
      if (touch.wasHeld()) return
      if (event.detail === 0) hear('onOpen', id)
      else if (touch.isFinger()) hear('onTap', id)
      else hear('onPress', id, press)
    })
    on('dblclick', (_event, id, target) => {
      if (!target.closest('[data-action], input') && !touch.isFinger()) hear('onOpen', id)
    })
    on('contextmenu', (event, id, target) => {
      event.preventDefault()
      if (touch.isFinger()) return
      // The event of the context menu key has no pointer position.
      const at =
        event.clientX === 0 && event.clientY === 0
          ? pointBelow(target)
          : { x: event.clientX, y: event.clientY }
      hear('onMenu', id, at)
    })
    on('dragstart', (event, id) => {
      if (event.dataTransfer) hear('onDrag', id, event.dataTransfer)
    })
    on('dragend', endDrag)
    on('focusin', (_event, id) => hear('onFocus', id))
    return () => stop.abort()
  }, [gallery])
}

const listenerOf =
  (element: HTMLElement, signal: AbortSignal) =>
  <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name], id: string, target: Element) => void,
  ) => {
    const listen = (event: HTMLElementEventMap[Name]) => {
      const target = event.target as Element
      const id = target.closest<HTMLElement>('[data-file]')?.dataset.file
      if (id !== undefined) listener(event, id, target)
    }
    element.addEventListener(name, listen, { signal })
  }

function pointBelow(element: Element): { x: number; y: number } {
  const { left, bottom } = element.getBoundingClientRect()
  return { x: left, y: bottom }
}

/** Tracks whether a touch lasted long enough to select. */
function createTouch(onHold: (id: string) => void) {
  let finger = false
  let held = false
  let start: { x: number; y: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    clearTimeout(timer)
    start = null
  }
  return {
    begin(event: PointerEvent, id: string) {
      finger = event.pointerType === 'touch'
      held = false
      cancel()
      if (!finger) return
      start = { x: event.clientX, y: event.clientY }
      timer = setTimeout(() => {
        held = true
        onHold(id)
      }, HOLD)
    },
    follow(event: PointerEvent) {
      const moved = start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > HOLD_SLACK
      if (event.type !== 'pointermove' || moved) cancel()
    },
    isFinger: () => finger,
    wasHeld: () => held,
  }
}
