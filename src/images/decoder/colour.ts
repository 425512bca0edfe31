/** Reads the colour space of a picture's ICC profile. */
import type { Metadata } from 'sharp'

/** Offset of the colour space signature in a profile's header (ICC.1:2022, 7.2.6). */
const SPACE_AT = 16

export function hasProfile({ icc }: Metadata): boolean {
  return icc !== undefined && icc.length > 0
}

/** True for a profile of RGB pixels. Only such a profile may be stored with RGB pixels. */
export function hasRgbProfile({ icc, space }: Metadata): boolean {
  return space !== 'cmyk' && icc?.toString('latin1', SPACE_AT, SPACE_AT + 4) === 'RGB '
}
