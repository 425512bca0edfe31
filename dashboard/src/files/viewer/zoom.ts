/**
 * Zoom and position of a picture. `x`, `y`: the offset of its centre from the centre of the stage (the area
 * in which it is shown), in pixels. Points are relative to the centre of the stage too.
 */
export interface ZoomView {
  /** The enlargement relative to the size at which the viewer first shows the picture (`fittedSize`). */
  scale: number
  x: number
  y: number
}

export interface Point {
  x: number
  y: number
}

export interface ZoomSizes {
  stageSize: { width: number; height: number }
  /** The size of the picture at scale 1. */
  fittedSize: { width: number; height: number }
  /** The width of the original picture in pixels, or its height if the picture is turned sideways. */
  originalWidth: number
}

export const FITTED_VIEW: ZoomView = { scale: 1, x: 0, y: 0 }

/** Maximum enlargement relative to the original size. */
const MAX_SCALE = 8

/** The scale at which one pixel of the original picture is one CSS pixel. */
export const originalScale = ({ originalWidth, fittedSize }: ZoomSizes) => originalWidth / fittedSize.width

export const percentOf = ({ scale }: ZoomView, sizes: ZoomSizes) =>
  Math.round((scale / originalScale(sizes)) * 100)

/**
 * Limits the position of the picture. Along an axis on which the picture is larger than the stage, it always
 * covers the stage; along the other axis it stays centred.
 */
export function clampToStage({ scale, x, y }: ZoomView, { stageSize, fittedSize }: ZoomSizes): ZoomView {
  const clampOffset = (offset: number, pictureLength: number, stageLength: number) => {
    const maxOffset = Math.max(0, (pictureLength * scale - stageLength) / 2)
    return Math.min(maxOffset, Math.max(-maxOffset, offset))
  }
  return {
    scale,
    x: clampOffset(x, fittedSize.width, stageSize.width),
    y: clampOffset(y, fittedSize.height, stageSize.height),
  }
}

/**
 * Zooms around a point of the picture, which keeps its position on the stage as far as `clampToStage` allows.
 * The scale is limited: it is at least 1 and, unless it is 1, at most `MAX_SCALE` times the scale of the
 * original size.
 */
export function zoomAroundPoint(view: ZoomView, scale: number, point: Point, sizes: ZoomSizes): ZoomView {
  const nextScale = Math.max(1, Math.min(scale, MAX_SCALE * originalScale(sizes)))
  const factor = nextScale / view.scale
  return clampToStage(
    {
      scale: nextScale,
      x: point.x - (point.x - view.x) * factor,
      y: point.y - (point.y - view.y) * factor,
    },
    sizes,
  )
}

/**
 * Returns the view after a double click. An enlarged picture is fitted to the stage again. A fitted one gets
 * its original size, or twice its fitted size if the original is at most 10 % larger than that.
 */
export function toggleZoom(view: ZoomView, point: Point, sizes: ZoomSizes): ZoomView {
  if (view.scale > 1.001) return FITTED_VIEW
  const fullScale = originalScale(sizes)
  return zoomAroundPoint(view, fullScale > 1.1 ? fullScale : 2, point, sizes)
}
