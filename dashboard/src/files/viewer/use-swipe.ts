/** Detects swipes with one finger. The content follows the finger sideways. */
import { type RefObject, useEffect, useEffectEvent } from 'react'

export type SwipeDirection = 'left' | 'right' | 'up' | 'down'

/** The finger must move farther than this many pixels for a swipe. */
const MIN_DISTANCE = 60
/** Matches elements that handle touch themselves, such as a zoomed picture, which the finger moves. */
const TOUCH_SELECTOR = 'button, a, audio, [role="region"], [data-zoomed]'
/** Height of the browser's controls at the lower edge of a video, in pixels. */
const VIDEO_CONTROLS_HEIGHT = 96

export function useSwipe(
  content: RefObject<HTMLElement | null>,
  onSwipe: (direction: SwipeDirection) => void,
): void {
  const callOnSwipe = useEffectEvent(onSwipe)
  useEffect(() => {
    const element = content.current
    if (!element) return
    const abortController = new AbortController()
    const addListener = (
      name: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
      listener: (event: PointerEvent) => void,
    ) => element.addEventListener(name, listener, { signal: abortController.signal })
    let touchStart: { id: number; x: number; y: number } | null = null
    const cancel = () => {
      touchStart = null
      element.style.transform = ''
    }
    addListener('pointerdown', event => {
      const isFirstTouch = touchStart === null && event.isPrimary
      cancel()
      if (!isFirstTouch || event.pointerType === 'mouse' || handlesTouch(event)) return
      touchStart = { id: event.pointerId, x: event.clientX, y: event.clientY }
    })
    addListener('pointermove', event => {
      if (event.pointerId === touchStart?.id)
        element.style.transform = `translateX(${event.clientX - touchStart.x}px)`
    })
    addListener('pointerup', event => {
      if (event.pointerId !== touchStart?.id) return
      const direction = swipeDirection(event.clientX - touchStart.x, event.clientY - touchStart.y)
      cancel()
      if (direction) callOnSwipe(direction)
    })
    addListener('pointercancel', cancel)
    return () => abortController.abort()
  }, [content])
}

/** Whether the element below the finger handles the touch itself. */
function handlesTouch({ target, clientY }: PointerEvent): boolean {
  const element = target as Element
  if (element.closest(TOUCH_SELECTOR)) return true
  return element.matches('video') && clientY > element.getBoundingClientRect().bottom - VIDEO_CONTROLS_HEIGHT
}

export function swipeDirection(x: number, y: number): SwipeDirection | null {
  if (Math.max(Math.abs(x), Math.abs(y)) <= MIN_DISTANCE) return null
  if (Math.abs(x) > Math.abs(y)) return x < 0 ? 'left' : 'right'
  return y < 0 ? 'up' : 'down'
}
