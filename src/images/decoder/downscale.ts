import { open } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { DecoderLimits } from '../options.ts'
import type { Answer, Input } from '../protocol.ts'
import { hasRgbProfile } from './colour.ts'
import { isSystemError } from './complain.ts'
import { openPicture, type Picture, pixelsOf } from './open.ts'
import { inspectPng } from './png.ts'
import { writePicture } from './write.ts'

/** What is stored from now on is this picture, so quality goes before size. */
const JPEG_QUALITY = 88
const WEBP_QUALITY = 88
const AVIF_QUALITY = 65
const FTYP_BYTES = 64

export async function writeDownscaled(
  { source, target, maxEdge }: Input<'downscale'>,
  limits: DecoderLimits,
): Promise<Answer<'downscale'>> {
  // What has no readable header is no image to us, whatever its name says.
  const picture = await openPicture(source, limits).catch(error => {
    if (isSystemError(error)) throw error
    return null
  })
  if (!picture || Math.max(picture.width, picture.height) <= maxEdge) return null
  const write = WRITERS[picture.metadata.format]
  if (!write || isHeic(picture) || (await isAnimated(picture, source))) return null
  const { width, height } = picture
  if (!picture.decodable) throw new Error(`too large to decode: ${width}x${height}`)

  const pixels = pixelsOf(picture).resize({ width: maxEdge, height: maxEdge, fit: 'inside' })
  if (hasRgbProfile(picture.metadata)) pixels.keepIccProfile()
  const to = await writePicture(write(pixels, picture), target)
  return { from: { width, height }, to: { width: to.width, height: to.height } }
}

const WRITERS: Partial<Record<Picture['metadata']['format'], (pixels: Sharp, picture: Picture) => Sharp>> = {
  jpeg: (pixels, { metadata }) =>
    pixels.jpeg({
      quality: JPEG_QUALITY,
      progressive: metadata.isProgressive,
      chromaSubsampling: metadata.chromaSubsampling?.startsWith('4:4:4') ? '4:4:4' : '4:2:0',
    }),
  png: (pixels, { metadata }) => deep(pixels, metadata.depth).png(),
  webp: pixels => pixels.webp({ quality: WEBP_QUALITY, smartSubsample: true }),
  heif: pixels => pixels.avif({ quality: AVIF_QUALITY }),
  tiff: (pixels, { metadata }) => deep(pixels, metadata.depth).tiff({ compression: 'deflate' }),
  gif: pixels => pixels.gif(),
}

/** The library would otherwise narrow 16 bits to 8. */
function deep(pixels: Sharp, depth: Picture['metadata']['depth']): Sharp {
  return depth === 'ushort' ? pixels.toColourspace('rgb16') : pixels
}

function isHeic({ metadata }: Picture): boolean {
  return metadata.format === 'heif' && metadata.compression !== 'av1'
}

async function isAnimated({ metadata }: Picture, source: string): Promise<boolean> {
  if ((metadata.pages ?? 1) > 1) return true
  if (metadata.format === 'png') return (await inspectPng(source)).animated
  return metadata.format === 'heif' && (await isImageSequence(source))
}

/** An animated AVIF names the brand `avis` in its first box; the library counts its still picture only. */
async function isImageSequence(source: string): Promise<boolean> {
  const file = await open(source)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FTYP_BYTES), 0, FTYP_BYTES, 0)
    const box = buffer.subarray(0, Math.min(bytesRead, buffer.readUInt32BE(0)))
    return box.includes('avis')
  } finally {
    await file.close()
  }
}
