/**
 * Writes the WebP variant of a PNG or JPEG; `../derived-files.ts` keeps it only when it is smaller than its
 * source.
 */
import type { DecoderLimits } from '../options.ts'
import type { Answer, Input } from '../protocol.ts'
import { hasProfile, hasRgbProfile, openPicture, type Picture, pixelsOf } from './open.ts'
import { inspectPng } from './png.ts'
import { writePicture } from './write.ts'

const WEBP_MAX_SIDE = 16_383
const JPEG_QUALITY = 82
/**
 * Lossless encoding took 1 s per megapixel and 38 bytes per pixel, at the lowest effort 0.4 s and 18 bytes.
 */
const LOSSLESS_MAX_PIXELS = 24_000_000
/**
 * Lossy encoding took 0.16 s per megapixel and 10 bytes per pixel; twice that with `smartSubsample`. At
 * effort 2 it took 0.08 s for about 5 % more bytes (docs/decisions/0024).
 */
const LOSSY_MAX_PIXELS = 50_000_000
const CAREFUL_MAX_PIXELS = 12_000_000
/**
 * Larger pictures are encoded with less effort: the first reader of a picture waits at most 3 s for its
 * variant.
 */
const EFFORT_MAX_PIXELS = 4_000_000

/** Decides by the bytes, not by the declared type. Writes nothing when the picture may not have a variant. */
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

/** True when lossless WebP can show exactly what this PNG shows. */
async function isExactInWebp({ width, height, metadata }: Picture, source: string): Promise<boolean> {
  if (width * height > LOSSLESS_MAX_PIXELS || metadata.depth !== 'uchar') return false
  // WebP stores RGB pixels, so a grey profile would not match them.
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
  // Full colour resolution (4:4:4) is chosen for text and screenshots. Lossy WebP has half of it, so such
  // pictures are subsampled carefully.
  const smartSubsample = metadata.chromaSubsampling === '4:4:4' && width * height <= CAREFUL_MAX_PIXELS
  const pixels = pixelsOf(picture)
  // A CMYK or grey profile does not match the RGB pixels of WebP: pictures with such a profile are converted
  // to sRGB.
  if (hasRgbProfile(metadata)) pixels.keepIccProfile()
  const effort = isSmall(picture) ? 4 : 2
  await writePicture(pixels.webp({ quality: JPEG_QUALITY, smartSubsample, effort }), target)
}
