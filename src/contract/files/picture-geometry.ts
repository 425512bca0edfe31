/** The measures of a picture in one of the configured sizes. Without schemas, for pages and decoders. */

/** How a picture fills the given edges: within them as a whole, or cut to their ratio. */
export const FITS = ['einpassen', 'fuellen'] as const

/** `auto`: the best format that the client accepts, by `Accept`. */
export const SIZE_FORMATS = ['auto', 'webp', 'avif', 'jpeg'] as const

/** The longest edge of a preview. */
export const PREVIEW_EDGE = 480
/** The longest edge that a setting may name. */
export const SIZE_EDGE_MAX = 4096
/** The longest edge of WebP; it counts only where a setting names the other edge alone. */
const OUTPUT_EDGE_MAX = 16_383
/** Pixels of the largest picture made: two edges of `SIZE_EDGE_MAX`. */
const OUTPUT_PIXELS_MAX = SIZE_EDGE_MAX * SIZE_EDGE_MAX

export interface Measures {
  width: number
  height: number
}

/** `null`: any length. `fuellen` has both edges. */
export interface SizeGeometry {
  breite: number | null
  hoehe: number | null
  art: (typeof FITS)[number]
}

/** The scale, at most 1, at which the picture gets its size; `fuellen` cuts off what then stands out. */
export function scaleOf({ width, height }: Measures, { breite, hoehe, art }: SizeGeometry): number {
  const across = (breite ?? OUTPUT_EDGE_MAX) / width
  const down = (hoehe ?? OUTPUT_EDGE_MAX) / height
  if (art === 'fuellen') return Math.min(1, Math.max(across, down))
  return Math.min(1, across, down, Math.sqrt(OUTPUT_PIXELS_MAX / (width * height)))
}

/** Never larger than the picture: where it does not fill both edges, `fuellen` keeps their ratio. */
export function measuresIn(picture: Measures, size: SizeGeometry): Measures {
  const { width, height } = picture
  const { breite, hoehe, art } = size
  if (art === 'fuellen' && breite !== null && hoehe !== null) {
    const within = Math.min(1, width / breite, height / hoehe)
    return { width: wholePixels(breite * within), height: wholePixels(hoehe * within) }
  }
  const scale = scaleOf(picture, size)
  return { width: wholePixels(width * scale), height: wholePixels(height * scale) }
}

const wholePixels = (length: number) => Math.max(1, Math.round(length))
