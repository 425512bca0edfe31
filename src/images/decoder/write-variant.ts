/** Writes the WebP variant of a PNG or JPEG, if it is smaller than the original. */
import { stat } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { DecoderLimits } from '../options.ts'
import type { JobAnswer, JobInput } from '../protocol.ts'
import { hasColourProfile, hasRgbProfile, openPicture, type Picture, pixelsOf } from './open.ts'
import { inspectPng } from './png.ts'
import { writePicture } from './write.ts'

const WEBP_MAX_SIDE = 16_383
const LOSSY_QUALITY = 82
/**
 * Maximum number of pixels of a lossless variant. Lossless encoding took 1 s per megapixel and 38 bytes of
 * memory per pixel; at the lowest effort 0.4 s and 18 bytes.
 */
const LOSSLESS_MAX_PIXELS = 24_000_000
/**
 * Maximum number of pixels of a lossy variant. Lossy encoding took 0.16 s per megapixel and 10 bytes of
 * memory per pixel; at effort 2 it took 0.08 s, and files were 2 to 5 % larger (docs/decisions/0024).
 */
const LOSSY_MAX_PIXELS = 50_000_000
/** Maximum number of pixels for careful colour subsampling (`smartSubsample`). */
const CAREFUL_SUBSAMPLING_MAX_PIXELS = 12_000_000
/**
 * Maximum number of pixels for the higher effort. Larger pictures are encoded faster with a lower one,
 * because the first request for a picture waits at most 3 s for its variant.
 */
const HIGH_EFFORT_MAX_PIXELS = 4_000_000

/**
 * Writes the variant; writes nothing if the picture may not have one, or if the variant would not be smaller
 * and so save nothing. The content of the file decides, not its declared type.
 */
export async function writeVariant(
  { source, target }: JobInput<'variant'>,
  limits: DecoderLimits,
): Promise<JobAnswer<'variant'>> {
  const picture = await openPicture(source, limits)
  const { width, height, isDecodable } = picture
  if (!isDecodable || Math.max(width, height) > WEBP_MAX_SIDE) return {}
  const pixels = await variantPixels(picture, source)
  if (pixels) await writePicture(pixels, target, (await stat(source)).size)
  return {}
}

/** The encoding of the variant; null if there is none for this picture. */
async function variantPixels(picture: Picture, source: string): Promise<Sharp | null> {
  const { width, height, metadata } = picture
  if (metadata.format === 'png')
    return (await mayBeLossless(picture, source)) ? losslessPixels(picture) : null
  return metadata.format === 'jpeg' && width * height <= LOSSY_MAX_PIXELS ? lossyPixels(picture) : null
}

/**
 * Whether a lossless variant is made: WebP must be able to represent this PNG exactly, and the PNG must not
 * have too many pixels.
 */
async function mayBeLossless({ width, height, metadata }: Picture, source: string): Promise<boolean> {
  if (width * height > LOSSLESS_MAX_PIXELS || metadata.depth !== 'uchar') return false
  // WebP stores RGB pixels, to which a grey profile does not apply.
  if (hasColourProfile(metadata) && !hasRgbProfile(metadata)) return false
  const { isAnimated, isPlainSrgb } = await inspectPng(source)
  return !isAnimated && (isPlainSrgb || hasColourProfile(metadata))
}

const isSmall = ({ width, height }: Picture) => width * height <= HIGH_EFFORT_MAX_PIXELS

const losslessPixels = (picture: Picture) =>
  pixelsOf(picture, { ignoreIcc: true }) // the pixels stay unchanged and keep their profile
    .keepIccProfile()
    .webp({ lossless: true, exact: true, effort: isSmall(picture) ? 4 : 0 })

function lossyPixels(picture: Picture): Sharp {
  const { width, height, metadata } = picture
  // JPEGs of text and screenshots usually have the full colour resolution (4:4:4). Lossy WebP has half of it
  // in each direction, so the colours of such pictures are subsampled carefully.
  const smartSubsample =
    metadata.chromaSubsampling === '4:4:4' && width * height <= CAREFUL_SUBSAMPLING_MAX_PIXELS
  const pixels = pixelsOf(picture)
  // A CMYK or grey profile does not apply to WebP's RGB, so such pictures are converted to sRGB.
  if (hasRgbProfile(metadata)) pixels.keepIccProfile()
  const effort = isSmall(picture) ? 4 : 2
  return pixels.webp({ quality: LOSSY_QUALITY, smartSubsample, effort })
}
