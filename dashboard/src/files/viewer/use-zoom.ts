/** Zooms and moves a picture by wheel, double click, dragging (mouse, finger or pen), pinching, and keys. */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import {
  clampToStage,
  FITTED_VIEW,
  originalScale,
  type Point,
  percentOf,
  toggleZoom,
  type ZoomSizes,
  type ZoomView,
  zoomAroundPoint,
} from './zoom.ts'

const ZOOM_STEP = 1.4
/** Pixels by which Shift and an arrow key move the picture. */
const PAN_STEP = 80
/** Pixels of wheel movement that double or halve the scale. */
const WHEEL_DISTANCE_PER_DOUBLING = 350

export type Zoom = ReturnType<typeof useZoom>

const STAGE_CENTRE: Point = { x: 0, y: 0 }

interface ShownPicture {
  /** The original size of the picture in pixels; null while it is unknown. */
  size: { width: number; height: number } | null
  /** Whether the picture is turned by 90 or 270 degrees, which swaps width and height. */
  isSideways: boolean
}

export function useZoom(
  stage: RefObject<HTMLElement | null>,
  picture: RefObject<HTMLImageElement | null>,
  shownPicture: ShownPicture,
) {
  const [view, setView] = useState(FITTED_VIEW)
  const [sizes, setSizes] = useState<ZoomSizes | null>(null)
  const changeView = (edit: (view: ZoomView, sizes: ZoomSizes) => ZoomView) => {
    const currentSizes = sizesOf(stage.current, picture.current, shownPicture)
    if (currentSizes) setView(current => edit(current, currentSizes))
  }
  /**
   * Reads the sizes again. Called when the picture has loaded, and when the stage (the area that shows the
   * picture) or the picture element is resized.
   */
  const measure = () => {
    const currentSizes = sizesOf(stage.current, picture.current, shownPicture)
    setSizes(currentSizes)
    if (currentSizes) setView(current => clampToStage(current, currentSizes))
  }
  const zoomBy = (factor: number) =>
    changeView((current, sizes) => zoomAroundPoint(current, current.scale * factor, STAGE_CENTRE, sizes))
  const pan = (x: number, y: number) =>
    changeView((current, sizes) => clampToStage({ ...current, x: current.x + x, y: current.y + y }, sizes))
  const zoom = {
    zoomIn: () => zoomBy(ZOOM_STEP),
    zoomOut: () => zoomBy(1 / ZOOM_STEP),
    fit: () => setView(FITTED_VIEW),
    showOriginalSize: () =>
      changeView((current, sizes) => zoomAroundPoint(current, originalScale(sizes), STAGE_CENTRE, sizes)),
  }
  usePointerZoom(stage, picture, changeView, measure)

  const keyActions: Record<string, () => void> = {
    '+': zoom.zoomIn,
    '-': zoom.zoomOut,
    '0': zoom.fit,
    '1': zoom.showOriginalSize,
    // Without Shift, the left and right arrows always open the previous or next file, even if the picture is
    // zoomed.
    ...(view.scale > 1 && {
      'shift+ArrowLeft': () => pan(PAN_STEP, 0),
      'shift+ArrowRight': () => pan(-PAN_STEP, 0),
      'shift+ArrowUp': () => pan(0, PAN_STEP),
      'shift+ArrowDown': () => pan(0, -PAN_STEP),
    }),
  }
  /** Runs the action of the key; returns false if the key has none. */
  const handleKey = (key: string) => {
    const action = ownValue(keyActions, key)
    action?.()
    return action !== undefined
  }
  /** The zoom in percent of the original size; null until the picture has loaded. */
  const percent = sizes && percentOf(view, sizes)
  return { ...zoom, view, percent, handleKey, measure }
}

function sizesOf(
  stage: HTMLElement | null,
  picture: HTMLImageElement | null,
  { size, isSideways }: ShownPicture,
): ZoomSizes | null {
  if (!stage || !picture || picture.offsetWidth === 0 || picture.naturalWidth === 0) return null
  const { offsetWidth, offsetHeight, naturalWidth, naturalHeight } = picture
  const [width, height] = isSideways ? [offsetHeight, offsetWidth] : [offsetWidth, offsetHeight]
  const originalSize = size ?? { width: naturalWidth, height: naturalHeight }
  return {
    stageSize: { width: stage.clientWidth, height: stage.clientHeight },
    fittedSize: { width, height },
    originalWidth: isSideways ? originalSize.height : originalSize.width,
  }
}

type ChangeView = (edit: (view: ZoomView, sizes: ZoomSizes) => ZoomView) => void

/**
 * Handles wheel, double click, and dragging with one or two pointers. The listeners are added to the element
 * itself, because a wheel listener of React is passive: it cannot prevent scrolling.
 */
function usePointerZoom(
  stage: RefObject<HTMLElement | null>,
  picture: RefObject<HTMLImageElement | null>,
  onChange: ChangeView,
  onResize: () => void,
): void {
  const changeView = useEffectEvent(onChange)
  const callOnResize = useEffectEvent(onResize)
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const abortController = new AbortController()
    const addListener = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => element.addEventListener(name, listener, { signal: abortController.signal, passive: false })
    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
    }
    addListener('wheel', event => {
      event.preventDefault()
      const factor = 2 ** (-event.deltaY / WHEEL_DISTANCE_PER_DOUBLING)
      changeView((current, sizes) => zoomAroundPoint(current, current.scale * factor, pointOf(event), sizes))
    })
    addListener('dblclick', event =>
      changeView((current, sizes) => toggleZoom(current, pointOf(event), sizes)),
    )
    const pointerHandlers = createPointerHandlers(
      (edit: Parameters<ChangeView>[0]) => changeView(edit),
      pointOf,
    )
    addListener('pointerdown', pointerHandlers.onPointerDown)
    addListener('pointermove', pointerHandlers.onPointerMove)
    for (const name of ['pointerup', 'pointercancel'] as const) addListener(name, pointerHandlers.onPointerUp)
    const resizeObserver = new ResizeObserver(() => callOnResize())
    resizeObserver.observe(element)
    if (picture.current) resizeObserver.observe(picture.current)
    return () => {
      abortController.abort()
      resizeObserver.disconnect()
    }
  }, [stage, picture])
}

/** Returns handlers for pointers (mouse, fingers, pen): one moves a zoomed picture, two zoom it. */
function createPointerHandlers(changeView: ChangeView, pointOf: (event: MouseEvent) => Point) {
  const pointers = new Map<number, Point>()
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      pointers.set(event.pointerId, pointOf(event))
      ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent) {
      const previousPoint = pointers.get(event.pointerId)
      if (!previousPoint) return
      const currentPoint = pointOf(event)
      const otherPoint = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      pointers.set(event.pointerId, currentPoint)
      changeView((view, sizes) => {
        if (!otherPoint)
          return clampToStage(
            {
              ...view,
              x: view.x + currentPoint.x - previousPoint.x,
              y: view.y + currentPoint.y - previousPoint.y,
            },
            sizes,
          )
        const factor = distance(currentPoint, otherPoint) / Math.max(1, distance(previousPoint, otherPoint))
        return zoomAroundPoint(
          view,
          view.scale * factor,
          { x: (currentPoint.x + otherPoint.x) / 2, y: (currentPoint.y + otherPoint.y) / 2 },
          sizes,
        )
      })
    },
    onPointerUp(event: PointerEvent) {
      pointers.delete(event.pointerId)
    },
  }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)
