/** Swiping: to the left for the next file, to the right for the previous. */
import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Minimum distance of a swipe in pixels. */
const FAR_ENOUGH = 60
/** Elements that handle touch themselves: a zoomed picture, for example, is moved by it. */
const TOUCH_ELEMENTS = 'button, a, video, audio, [role="region"], [data-zoomed]'

export function useSwipe(content: RefObject<HTMLElement | null>, onStep: (step: 1 | -1) => void): void {
  const step = useEffectEvent(onStep)
  useEffect(() => {
    const element = content.current
    if (!element) return
    const stop = new AbortController()
    const on = (
      name: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
      run: (event: PointerEvent) => void,
    ) => element.addEventListener(name, run, { signal: stop.signal })
    let start: { id: number; x: number; y: number } | null = null
    const cancel = () => {
      start = null
      element.style.transform = ''
    }
    on('pointerdown', event => {
      const isFirst = start === null && event.isPrimary
      cancel()
      if (!isFirst || event.pointerType === 'mouse' || (event.target as Element).closest(TOUCH_ELEMENTS))
        return
      start = { id: event.pointerId, x: event.clientX, y: event.clientY }
    })
    on('pointermove', event => {
      if (event.pointerId === start?.id) element.style.transform = `translateX(${event.clientX - start.x}px)`
    })
    on('pointerup', event => {
      if (event.pointerId !== start?.id) return
      const [x, y] = [event.clientX - start.x, event.clientY - start.y]
      cancel()
      if (Math.abs(x) > FAR_ENOUGH && Math.abs(x) > Math.abs(y)) step(x < 0 ? 1 : -1)
    })
    on('pointercancel', cancel)
    return () => stop.abort()
  }, [content])
}
