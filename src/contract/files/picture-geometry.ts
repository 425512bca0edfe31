/**
 * The dimensions of a picture in one of the configured sizes. This file has no schemas, so that pages and
 * decoders can import it.
 */

/**
 * How a picture is fitted to a width and a height; it is never enlarged. `einpassen`: scaled down until all
 * of it fits. `fuellen`: scaled down and cropped to the ratio of the two.
 */
export const FIT_MODES = ['einpassen', 'fuellen'] as const

/** `auto`: the best format that the client accepts, according to `Accept`. */
export const SIZE_FORMATS = ['auto', 'webp', 'avif', 'jpeg'] as const

/** The longest edge of a preview. */
export const PREVIEW_EDGE = 480
/** The longest edge of a picture size that can be configured. */
export const SIZE_EDGE_MAX = 4096
/** The longest edge that WebP allows; it matters only if a size limits just the other edge. */
const OUTPUT_EDGE_MAX = 16_383
/** The maximum number of pixels of a scaled picture: a square with edges of `SIZE_EDGE_MAX`. */
const OUTPUT_PIXELS_MAX = SIZE_EDGE_MAX * SIZE_EDGE_MAX

export interface Dimensions {
  width: number
  height: number
}

/** `null`: that edge may have any length. With `fuellen` neither is null. */
export interface SizeGeometry {
  breite: number | null
  hoehe: number | null
  art: (typeof FIT_MODES)[number]
}

/**
 * The factor, at most 1, by which the picture is scaled. With `fuellen`, what then exceeds the width or the
 * height is cut off.
 */
export function scaleOf({ width, height }: Dimensions, { breite, hoehe, art }: SizeGeometry): number {
  const widthScale = (breite ?? OUTPUT_EDGE_MAX) / width
  const heightScale = (hoehe ?? OUTPUT_EDGE_MAX) / height
  if (art === 'fuellen') return Math.min(1, Math.max(widthScale, heightScale))
  return Math.min(1, widthScale, heightScale, Math.sqrt(OUTPUT_PIXELS_MAX / (width * height)))
}

/**
 * The dimensions of the scaled picture. With `fuellen`, a picture that is too small for `breite` and `hoehe`
 * is still cut to their ratio.
 */
export function dimensionsIn(picture: Dimensions, size: SizeGeometry): Dimensions {
  const { width, height } = picture
  const { breite, hoehe, art } = size
  if (art === 'fuellen' && breite !== null && hoehe !== null) {
    const edgeScale = Math.min(1, width / breite, height / hoehe)
    return { width: wholePixels(breite * edgeScale), height: wholePixels(hoehe * edgeScale) }
  }
  const scale = scaleOf(picture, size)
  return { width: wholePixels(width * scale), height: wholePixels(height * scale) }
}

const wholePixels = (length: number) => Math.max(1, Math.round(length))
