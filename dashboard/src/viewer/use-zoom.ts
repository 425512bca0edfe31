/** Zooming and moving by wheel, double click, fingers and keys. */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { ownValue } from '../../../src/contract/values/own-value.ts'
import {
  FITTED_VIEW,
  keepOnStage,
  originalScale,
  type Point,
  percentOf,
  type Sizes,
  toggleZoom,
  type View,
  zoomAround,
} from './zoom.ts'

const STEP = 1.4
const PAN = 80
/** Pixels of wheel movement that double the scale. */
const WHEEL = 350

export type Zoom = ReturnType<typeof useZoom>

const MIDDLE: Point = { x: 0, y: 0 }

interface Shown {
  /** The original size of the picture, if it is known before the picture has loaded. */
  size: { width: number; height: number } | null
  /** Whether the picture is turned by 90 or 270 degrees, which swaps width and height. */
  isTurned: boolean
}

export function useZoom(
  stage: RefObject<HTMLElement | null>,
  picture: RefObject<HTMLImageElement | null>,
  shown: Shown,
) {
  const [view, setView] = useState(FITTED_VIEW)
  const [sizes, setSizes] = useState<Sizes | null>(null)
  const change = (edit: (now: View, sizes: Sizes) => View) => {
    const current = sizesOf(stage.current, picture.current, shown)
    if (current) setView(now => edit(now, current))
  }
  /** Called when the picture has loaded. */
  const measure = () => {
    const current = sizesOf(stage.current, picture.current, shown)
    setSizes(current)
    if (current) setView(now => keepOnStage(now, current))
  }
  const by = (factor: number) => change((now, room) => zoomAround(now, now.scale * factor, MIDDLE, room))
  const pan = (x: number, y: number) =>
    change((now, room) => keepOnStage({ ...now, x: now.x + x, y: now.y + y }, room))
  const zoom = {
    larger: () => by(STEP),
    smaller: () => by(1 / STEP),
    fit: () => setView(FITTED_VIEW),
    original: () => change((now, room) => zoomAround(now, originalScale(room), MIDDLE, room)),
  }
  usePointerZoom(stage, picture, change, measure)

  const keys: Record<string, () => void> = {
    '+': zoom.larger,
    '-': zoom.smaller,
    '0': zoom.fit,
    '1': zoom.original,
    // Without Shift, the arrows always open the previous or next file, even if the picture is zoomed.
    ...(view.scale > 1 && {
      'shift+ArrowLeft': () => pan(PAN, 0),
      'shift+ArrowRight': () => pan(-PAN, 0),
      'shift+ArrowUp': () => pan(0, PAN),
      'shift+ArrowDown': () => pan(0, -PAN),
    }),
  }
  /** Returns whether the key was meant for the picture. */
  const press = (key: string) => {
    const act = ownValue(keys, key)
    act?.()
    return act !== undefined
  }
  /** The zoom in percent of the original size; null until the picture has loaded. */
  const percent = sizes && percentOf(view, sizes)
  return { ...zoom, view, percent, press, measure }
}

function sizesOf(
  stage: HTMLElement | null,
  picture: HTMLImageElement | null,
  { size, isTurned }: Shown,
): Sizes | null {
  if (!stage || !picture || picture.offsetWidth === 0 || picture.naturalWidth === 0) return null
  const { offsetWidth, offsetHeight, naturalWidth, naturalHeight } = picture
  const [width, height] = isTurned ? [offsetHeight, offsetWidth] : [offsetWidth, offsetHeight]
  const own = size ?? { width: naturalWidth, height: naturalHeight }
  return {
    stage: { width: stage.clientWidth, height: stage.clientHeight },
    fitted: { width, height },
    natural: isTurned ? own.height : own.width,
  }
}

type Change = (edit: (now: View, sizes: Sizes) => View) => void

/**
 * Handles wheel, double click and fingers. The listeners are added to the element itself, because a wheel
 * listener of React cannot prevent scrolling.
 */
function usePointerZoom(
  stage: RefObject<HTMLElement | null>,
  picture: RefObject<HTMLImageElement | null>,
  onChange: Change,
  onResize: () => void,
): void {
  const change = useEffectEvent(onChange)
  const resized = useEffectEvent(onResize)
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const stop = new AbortController()
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => element.addEventListener(name, listener, { signal: stop.signal, passive: false })
    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
    }
    on('wheel', event => {
      event.preventDefault()
      const factor = 2 ** (-event.deltaY / WHEEL)
      change((now, room) => zoomAround(now, now.scale * factor, pointOf(event), room))
    })
    on('dblclick', event => change((now, room) => toggleZoom(now, pointOf(event), room)))
    const fingers = createFingers((edit: Parameters<Change>[0]) => change(edit), pointOf)
    on('pointerdown', fingers.down)
    on('pointermove', fingers.move)
    for (const name of ['pointerup', 'pointercancel'] as const) on(name, fingers.up)
    const watch = new ResizeObserver(() => resized())
    watch.observe(element)
    if (picture.current) watch.observe(picture.current)
    return () => {
      stop.abort()
      watch.disconnect()
    }
  }, [stage, picture])
}

/** Handles pointers: one moves a zoomed picture, two zoom it. */
function createFingers(change: Change, pointOf: (event: MouseEvent) => Point) {
  const down = new Map<number, Point>()
  return {
    down(event: PointerEvent) {
      if (event.button !== 0) return
      down.set(event.pointerId, pointOf(event))
      ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    },
    move(event: PointerEvent) {
      const before = down.get(event.pointerId)
      if (!before) return
      const now = pointOf(event)
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1]
      down.set(event.pointerId, now)
      change((view, sizes) => {
        if (!other)
          return keepOnStage({ ...view, x: view.x + now.x - before.x, y: view.y + now.y - before.y }, sizes)
        const factor = distance(now, other) / Math.max(1, distance(before, other))
        return zoomAround(
          view,
          view.scale * factor,
          { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 },
          sizes,
        )
      })
    },
    up(event: PointerEvent) {
      down.delete(event.pointerId)
    },
  }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)
