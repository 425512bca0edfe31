/** Scales a picture down in its own format, with all frames and pages. */
import { open } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { DecoderLimits } from '../options.ts'
import type { JobAnswer, JobInput } from '../protocol.ts'
import { hasRgbProfile, openPicture, type Picture, pixelsOf } from './open.ts'
import { inspectPng } from './png.ts'
import { writePicture } from './write.ts'

/** Encoder qualities. The scaled picture replaces the original, so quality matters more than size. */
const JPEG_QUALITY = 88
const WEBP_QUALITY = 88
const AVIF_QUALITY = 65
/**
 * Effort for a GIF with a single frame, and with several frames: choosing a palette took 4 s per megapixel at
 * effort 7, and 0.8 s at effort 1.
 */
const GIF_EFFORT = 7
const ANIMATED_GIF_EFFORT = 1
/**
 * Maximum number of pixels of all scaled frames or pages together, if there are several. This many can
 * certainly be encoded before the deadline.
 */
const MAX_TOTAL_PIXELS = 20_000_000
/** Number of bytes to read of the first box of an AVIF (`ftyp`), which lists the brands of the file. */
const FTYP_BYTES = 64

/**
 * Writes the scaled picture; null if it need not be scaled. Throws if the picture is too large but cannot be
 * scaled as a whole or within the limits, and for a TIFF whose pages have different sizes.
 */
export async function writeDownscaledPicture(
  { source, target, maxEdge }: JobInput<'downscale'>,
  limits: DecoderLimits,
): Promise<JobAnswer<'downscale'>> {
  const picture = await openPicture(source, limits)
  const { width, height, metadata } = picture
  if (metadata.format === 'svg') return null
  // Throws if the pages have different sizes. Only the size of the first page was read, so another page may
  // be larger than `maxEdge`.
  if (metadata.format === 'tiff' && pageCountOf(picture) > 1)
    await pixelsOf(picture, { pages: -1 }).metadata()
  if (Math.max(width, height) <= maxEdge) return null
  const encode = ENCODERS[metadata.format]
  if (!encode || !(await isFullyReadable(picture, source))) {
    throw new Error(`not to be scaled as a whole: ${metadata.format} of ${pageCountOf(picture)} page(s)`)
  }
  if (!fitsLimits(picture, maxEdge, limits)) throw new Error(`too large to scale: ${width}x${height}`)

  const pixels = pixelsOf(picture, { pages: pageCountOf(picture) > 1 ? -1 : 1 })
  pixels.resize({ width: maxEdge, height: maxEdge, fit: 'inside' })
  if (hasRgbProfile(metadata)) pixels.keepIccProfile()
  const writtenInfo = await writePicture(encode(pixels, picture), target)
  return {
    from: { width, height },
    to: { width: writtenInfo.width, height: writtenInfo.pageHeight ?? writtenInfo.height },
  }
}

const pageCountOf = ({ metadata }: Picture) => metadata.pages ?? 1

const ENCODERS: Partial<Record<Picture['metadata']['format'], (pixels: Sharp, picture: Picture) => Sharp>> = {
  jpeg: (pixels, { metadata }) =>
    pixels.jpeg({
      quality: JPEG_QUALITY,
      progressive: metadata.isProgressive,
      chromaSubsampling: metadata.chromaSubsampling?.startsWith('4:4:4') ? '4:4:4' : '4:2:0',
    }),
  png: (pixels, { metadata }) => keepBitDepth(pixels, metadata.depth).png(),
  webp: (pixels, picture) =>
    pixels.webp({ quality: WEBP_QUALITY, smartSubsample: pageCountOf(picture) === 1 }),
  heif: pixels => pixels.avif({ quality: AVIF_QUALITY }),
  tiff: (pixels, { metadata }) => keepBitDepth(pixels, metadata.depth).tiff({ compression: 'deflate' }),
  gif: (pixels, picture) =>
    pixels.gif({ effort: pageCountOf(picture) === 1 ? GIF_EFFORT : ANIMATED_GIF_EFFORT }),
}

/** Keeps 16 bits per channel, which sharp would otherwise reduce to 8. */
function keepBitDepth(pixels: Sharp, depth: Picture['metadata']['depth']): Sharp {
  return depth === 'ushort' ? pixels.toColourspace('rgb16') : pixels
}

/** Whether the pixels of all frames and pages together are within the limits. */
function fitsLimits(picture: Picture, maxEdge: number, limits: DecoderLimits): boolean {
  const { width, height, isDecodable } = picture
  const pageCount = pageCountOf(picture)
  if (!isDecodable || width * height * pageCount > limits.pixels) return false
  const scale = maxEdge / Math.max(width, height)
  return pageCount === 1 || width * height * scale * scale * pageCount <= MAX_TOTAL_PIXELS
}

/**
 * Whether sharp reads the whole file; false if it would read only one frame of an animation or one image of a
 * collection, or cannot decode the file (HEIC).
 */
async function isFullyReadable(picture: Picture, source: string): Promise<boolean> {
  const { format, compression } = picture.metadata
  if (format === 'png') return !(await inspectPng(source)).isAnimated
  if (format !== 'heif') return true
  return compression === 'av1' && pageCountOf(picture) === 1 && !(await isImageSequence(source))
}

/**
 * Whether an AVIF is animated. sharp sees only its still picture, but its first box lists the brand `avis`.
 */
async function isImageSequence(source: string): Promise<boolean> {
  await using file = await open(source)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FTYP_BYTES), 0, FTYP_BYTES, 0)
  const box = buffer.subarray(0, Math.min(bytesRead, buffer.readUInt32BE(0)))
  return box.includes('avis')
}
