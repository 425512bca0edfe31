/** Writes a picture, or a frame of a video, in one of the configured sizes. */
import type { Sharp } from 'sharp'
import {
  type Dimensions,
  SIZE_EDGE_MAX,
  scaledDimensions,
  scaleOf,
} from '../../contract/files/picture-geometry.ts'
import type { DecoderLimits } from '../options.ts'
import type { JobAnswer, JobInput, SizeFormat } from '../protocol.ts'
import { sharp } from './library.ts'
import { hasRgbProfile, openPicture, type Picture, pixelsOf } from './open.ts'
import { previewOptions } from './picture.ts'
import { writePicture } from './write.ts'

const JPEG_QUALITY = 80
const WEBP_QUALITY = 80
const AVIF_QUALITY = 50
/**
 * Efforts of the AVIF encoder for small and large pictures. It took 0.35 s per megapixel at effort 2, 0.17 s
 * at 1, 3 s at 4 (decision 0048).
 */
const AVIF_EFFORT_SMALL_PICTURES = 2
const AVIF_EFFORT_LARGE_PICTURES = 1
/** Number of pixels up to which a picture counts as small and is encoded with a higher effort. */
const SMALL_PICTURE_MAX_PIXELS = 4_000_000
/**
 * Pixels by which the longer edge of an extracted frame is larger than needed, so that rounding never makes
 * the frame too small to be cut to the wanted size.
 */
const FRAME_MARGIN = 2

/**
 * Writes the picture in the wanted size. Null if it cannot be decoded within the limits, and for a video from
 * which no frame could be extracted.
 */
export async function writeSizedPicture(
  job: JobInput<'size'>,
  limits: DecoderLimits,
): Promise<JobAnswer<'size'>> {
  const { target, size, format } = job
  const openedSource = await (job.isVideo ? openFrame(job, limits) : openStill(job, limits))
  if (!openedSource) return null
  const dimensions = scaledDimensions(openedSource, size)
  const pixels = openedSource.pixels.resize({ ...dimensions, fit: size.art === 'fuellen' ? 'cover' : 'fill' })
  if (openedSource.keepsProfile) pixels.keepIccProfile()
  const [encodedPixels, type] = await encodePicture(pixels, {
    format,
    hasAlpha: openedSource.hasAlpha,
    dimensions,
  })
  await writePicture(encodedPixels, target)
  return { type, ...dimensions }
}

interface OpenedSource extends Dimensions {
  pixels: Sharp
  hasAlpha: boolean
  keepsProfile: boolean
}

async function openStill(
  { source, size }: JobInput<'size'>,
  limits: DecoderLimits,
): Promise<OpenedSource | null> {
  const picture = await openPicture(source, limits)
  if (!picture.isDecodable) return null
  const { width, height, metadata } = picture
  const edge = Math.max(width, height) * scaleOf(picture, size)
  return {
    width,
    height,
    pixels: pixelsOf(picture, previewOptions(picture, edge)),
    hasAlpha: metadata.hasAlpha ?? false,
    keepsProfile: hasNonSrgbProfile(picture),
  }
}

async function openFrame(
  { source, size }: JobInput<'size'>,
  limits: DecoderLimits,
): Promise<OpenedSource | null> {
  const [{ measureMedia: measure }, { grabFrame }] = await Promise.all([
    import('./media.ts'),
    import('./poster.ts'),
  ])
  // ffmpeg also reads containers that `measureMedia` does not know. If the size of the video is therefore
  // unknown, the frame is made as large as allowed.
  const { width, height, duration } = await measure(source).catch(() => ({}) as JobAnswer<'media'>)
  const isSizeKnown = width !== undefined && height !== undefined
  const scale = isSizeKnown ? scaleOf({ width, height }, size) : 1
  const edge = isSizeKnown ? Math.ceil(Math.max(width, height) * scale) + FRAME_MARGIN : SIZE_EDGE_MAX
  const frame = await grabFrame(source, { edge, duration }, limits)
  if (!frame) return null
  const pixels = sharp(frame, { failOn: 'error' })
  const frameMetadata = await pixels.metadata()
  return {
    width: frameMetadata.width,
    height: frameMetadata.height,
    pixels,
    hasAlpha: false,
    keepsProfile: false,
  }
}

/**
 * The name of sRGB in the two text encodings that a colour profile may use for its own name (ICC.1:2022
 * 10.15, ICC.1:2001-04 6.5.17).
 */
const SRGB_NAMES = [Buffer.from('sRGB', 'latin1'), Buffer.from('sRGB', 'utf16le').swap16()]

/**
 * Whether the picture has an RGB colour profile other than sRGB, which must be kept. An sRGB profile need not
 * be kept: nearly every browser shows a picture without a profile as sRGB.
 */
function hasNonSrgbProfile({ metadata }: Picture): boolean {
  return hasRgbProfile(metadata) && !SRGB_NAMES.some(name => metadata.icc!.includes(name))
}

interface EncodingOptions {
  format: SizeFormat
  hasAlpha: boolean
  dimensions: Dimensions
}

async function encodePicture(
  pixels: Sharp,
  encoding: EncodingOptions,
): Promise<[Sharp, NonNullable<JobAnswer<'size'>>['type']]> {
  const { format, hasAlpha, dimensions } = encoding
  const isSmall = dimensions.width * dimensions.height <= SMALL_PICTURE_MAX_PIXELS
  const encodeJpeg = (image: Sharp) => image.jpeg({ quality: JPEG_QUALITY, mozjpeg: isSmall })
  switch (format) {
    case 'avif':
      return [
        pixels.avif({
          quality: AVIF_QUALITY,
          effort: isSmall ? AVIF_EFFORT_SMALL_PICTURES : AVIF_EFFORT_LARGE_PICTURES,
        }),
        'image/avif',
      ]
    case 'webp':
      return [pixels.webp({ quality: WEBP_QUALITY, effort: isSmall ? 4 : 2 }), 'image/webp']
    case 'jpeg':
      return [encodeJpeg(hasAlpha ? pixels.flatten({ background: '#fff' }) : pixels), 'image/jpeg']
    case 'plain':
      return hasAlpha ? encodePngIfTransparent(pixels, encodeJpeg) : [encodeJpeg(pixels), 'image/jpeg']
  }
}

/**
 * Encodes as PNG only if some pixel is transparent. Many pictures have an alpha channel without a transparent
 * pixel, and are much smaller as JPEG.
 */
async function encodePngIfTransparent(
  pixels: Sharp,
  encodeJpeg: (image: Sharp) => Sharp,
): Promise<[Sharp, 'image/png' | 'image/jpeg']> {
  const png = await pixels.png().toBuffer()
  const { isOpaque } = await sharp(png).stats()
  const decoded = sharp(png).keepIccProfile()
  return isOpaque ? [encodeJpeg(decoded.removeAlpha()), 'image/jpeg'] : [decoded.png(), 'image/png']
}
