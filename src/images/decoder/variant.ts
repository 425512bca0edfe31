/** Writes the WebP variant of a PNG or JPEG; `../derived-files.ts` keeps it only if it is smaller. */
import type { DecoderLimits } from '../options.ts'
import type { Answer, Input } from '../protocol.ts'
import { hasProfile, hasRgbProfile, openPicture, type Picture, pixelsOf } from './open.ts'
import { inspectPng } from './png.ts'
import { writePicture } from './write.ts'

const WEBP_MAX_SIDE = 16_383
const JPEG_QUALITY = 82
/** Maximum pixels. Lossless took 1 s per megapixel, 38 bytes per pixel; at the lowest effort 0.4 s, 18. */
const LOSSLESS_MAX_PIXELS = 24_000_000
/**
 * Maximum number of pixels: lossy took 0.16 s per megapixel and 10 bytes per pixel, twice that with
 * `smartSubsample`; at effort 2, 0.08 s and about 5 % more bytes (docs/decisions/0024).
 */
const LOSSY_MAX_PIXELS = 50_000_000
const CAREFUL_MAX_PIXELS = 12_000_000
/** Maximum number of pixels for full effort: the first request waits at most 3 s for a variant. */
const EFFORT_MAX_PIXELS = 4_000_000

/** Decides by content, not by the declared type. Writes nothing if the picture may not have a variant. */
export async function writeVariant(
  { source, target }: Input<'variant'>,
  limits: DecoderLimits,
): Promise<Answer<'variant'>> {
  const picture = await openPicture(source, limits)
  const { width, height, metadata, decodable } = picture
  if (!decodable || Math.max(width, height) > WEBP_MAX_SIDE) return {}
  if (metadata.format === 'png') {
    if (await isExactInWebp(picture, source)) await writeLossless(picture, target)
  } else if (metadata.format === 'jpeg') {
    if (width * height <= LOSSY_MAX_PIXELS) await writeLossy(picture, target)
  }
  return {}
}

/** Whether lossless WebP can represent this PNG exactly. */
async function isExactInWebp({ width, height, metadata }: Picture, source: string): Promise<boolean> {
  if (width * height > LOSSLESS_MAX_PIXELS || metadata.depth !== 'uchar') return false
  // WebP stores RGB, which a grey profile does not fit.
  if (hasProfile(metadata) && !hasRgbProfile(metadata)) return false
  const { animated, plainColour } = await inspectPng(source)
  return !animated && (plainColour || hasProfile(metadata))
}

const isSmall = ({ width, height }: Picture) => width * height <= EFFORT_MAX_PIXELS

async function writeLossless(picture: Picture, target: string) {
  const pixels = pixelsOf(picture, { ignoreIcc: true }) // the pixels stay unchanged and keep their profile
    .keepIccProfile()
    .webp({ lossless: true, exact: true, effort: isSmall(picture) ? 4 : 0 })
  await writePicture(pixels, target)
}

async function writeLossy(picture: Picture, target: string) {
  const { width, height, metadata } = picture
  // 4:4:4 is for text and screenshots; lossy WebP has half that colour resolution: subsample carefully.
  const smartSubsample = metadata.chromaSubsampling === '4:4:4' && width * height <= CAREFUL_MAX_PIXELS
  const pixels = pixelsOf(picture)
  // A CMYK or grey profile does not fit WebP's RGB: such pictures are converted to sRGB.
  if (hasRgbProfile(metadata)) pixels.keepIccProfile()
  const effort = isSmall(picture) ? 4 : 2
  await writePicture(pixels.webp({ quality: JPEG_QUALITY, smartSubsample, effort }), target)
}
