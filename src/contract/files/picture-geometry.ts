/**
 * The fit modes, formats and limits of picture sizes, and the dimensions of a picture in one of the
 * configured sizes. This file has no schemas, so that pages and decoders that import it do not load zod.
 */

/**
 * How a picture is fitted to a width and a height; it is never enlarged. `einpassen` (fit): scaled down until
 * all of it fits. `fuellen` (fill): scaled down and cropped to the ratio of width and height.
 */
export const FIT_MODES = ['einpassen', 'fuellen'] as const

/** `auto`: the best format that the client accepts, according to `Accept`. */
export const SIZE_FORMATS = ['auto', 'webp', 'avif', 'jpeg'] as const

/** Length of the longest edge of a preview, in pixels. */
export const PREVIEW_EDGE = 480
/** The maximum width and height, in pixels, that a picture size can be configured with. */
export const SIZE_EDGE_MAX = 4096
/**
 * The maximum width and height of a WebP picture, in pixels. It applies to an edge for which the configured
 * size has no limit.
 */
const OUTPUT_EDGE_MAX = 16_383
/** The maximum number of pixels of a scaled picture: a square with edges of `SIZE_EDGE_MAX`. */
const OUTPUT_PIXELS_MAX = SIZE_EDGE_MAX * SIZE_EDGE_MAX

export interface Dimensions {
  width: number
  height: number
}

/**
 * A configured size. `breite`, `hoehe`: the limits of width and height in pixels; null: not limited. With
 * `fuellen` neither is null.
 */
export interface SizeGeometry {
  breite: number | null
  hoehe: number | null
  art: (typeof FIT_MODES)[number]
}

/**
 * The factor, at most 1, by which the picture is scaled. With `fuellen`, the scaled picture is then cropped
 * to the width and the height.
 */
export function scaleOf({ width, height }: Dimensions, { breite, hoehe, art }: SizeGeometry): number {
  const widthScale = (breite ?? OUTPUT_EDGE_MAX) / width
  const heightScale = (hoehe ?? OUTPUT_EDGE_MAX) / height
  if (art === 'fuellen') return Math.min(1, Math.max(widthScale, heightScale))
  return Math.min(1, widthScale, heightScale, Math.sqrt(OUTPUT_PIXELS_MAX / (width * height)))
}

/**
 * The dimensions of the scaled picture. With `fuellen`, a picture that is too small for `breite` and `hoehe`
 * is still cropped to their ratio.
 */
export function scaledDimensions(picture: Dimensions, size: SizeGeometry): Dimensions {
  const { width, height } = picture
  const { breite, hoehe, art } = size
  if (art === 'fuellen' && breite !== null && hoehe !== null) {
    const edgeScale = Math.min(1, width / breite, height / hoehe)
    return { width: toWholePixels(breite * edgeScale), height: toWholePixels(hoehe * edgeScale) }
  }
  const scale = scaleOf(picture, size)
  return { width: toWholePixels(width * scale), height: toWholePixels(height * scale) }
}

const toWholePixels = (length: number) => Math.max(1, Math.round(length))
