/** Measures a picture and writes it in smaller sizes. */
import type { SharpOptions } from 'sharp'
import type { DecoderLimits } from '../options.ts'
import type { JobAnswer, JobInput } from '../protocol.ts'
import { openPicture, type Picture, pixelsOf } from './open.ts'
import { writeScaledPicture } from './write.ts'

/** The dpi at which an SVG has its nominal size in pixels, and the maximum at which one is rendered. */
const SVG_DENSITY = 72
const SVG_MAX_DENSITY = 7200

export async function measureAndScale(
  { source, scaled: scaledPictures }: JobInput<'picture'>,
  limits: DecoderLimits,
): Promise<JobAnswer<'picture'>> {
  const picture = await openPicture(source, limits)
  if (picture.isDecodable)
    for (const scaledPicture of scaledPictures)
      await writeScaledPicture(previewPixels(picture, scaledPicture.edge), scaledPicture)
  return { width: picture.width, height: picture.height }
}

const previewPixels = (picture: Picture, edge: number) => pixelsOf(picture, previewOptions(picture, edge))

/** Options for reading a picture that is shown with a longer edge of `edge` pixels. */
export function previewOptions(picture: Picture, edge: number): SharpOptions {
  const { format } = picture.metadata
  return {
    // JPEGs without their last rows are common. Browsers show the rows that exist, and so does the preview.
    // Damaged files of other formats are refused, because they would give an empty picture.
    failOn: format === 'jpeg' ? 'none' : 'error',
    ...(format === 'svg' && { density: svgDensity(picture, edge) }),
  }
}

/**
 * The density (dpi) at which an SVG is rendered with a longer edge of `edge` pixels, so that a small icon
 * stays sharp and a huge poster does not use too much memory.
 */
function svgDensity({ width, height }: Picture, edge: number): number {
  const fittingDensity = (SVG_DENSITY * edge) / Math.max(width, height)
  return Math.min(SVG_MAX_DENSITY, Math.max(1, fittingDensity))
}
