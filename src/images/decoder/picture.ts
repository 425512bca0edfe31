/** Measures a picture and writes its preview. */
import type { DecoderLimits } from '../options.ts'
import type { Answer, Input } from '../protocol.ts'
import { openPicture, type Picture, pixelsOf } from './open.ts'
import { writePicture } from './write.ts'

const PREVIEW_EDGE = 480
const PREVIEW_QUALITY = 75
const SVG_DENSITY = 72
const SVG_MAX_DENSITY = 7200

export async function measureAndPreview(
  { source, preview }: Input<'picture'>,
  limits: DecoderLimits,
): Promise<Answer<'picture'>> {
  const picture = await openPicture(source, limits)
  if (preview && picture.decodable) await writePreview(picture, preview)
  return { width: picture.width, height: picture.height }
}

async function writePreview(picture: Picture, target: string) {
  const { format } = picture.metadata
  const pixels = pixelsOf(picture, {
    // A JPEG without its last rows is common, and browsers show the rest; so does the preview. Other formats
    // would give an empty picture.
    failOn: format === 'jpeg' ? 'none' : 'error',
    ...(format === 'svg' && { density: densityOf(picture) }),
  })
    .resize({ width: PREVIEW_EDGE, height: PREVIEW_EDGE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: PREVIEW_QUALITY })
  await writePicture(pixels, target)
}

/** SVG is rendered at the preview's size: a small icon stays sharp, and a huge poster costs no memory. */
function densityOf({ width, height }: Picture): number {
  const fitting = (SVG_DENSITY * PREVIEW_EDGE) / Math.max(width, height)
  return Math.min(SVG_MAX_DENSITY, Math.max(1, fitting))
}
