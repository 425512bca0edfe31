/** Reads the header of a picture and decides whether its pixels can be decoded within the limits. */
import { readFile, stat } from 'node:fs/promises'
import type { Metadata, SharpOptions } from 'sharp'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { DecoderLimits } from '../options.ts'
import { sharp } from './library.ts'

/** A picture of which only the header was decoded. */
export interface Picture {
  input: string | Uint8Array
  metadata: Metadata
  /** The dimensions as displayed, with the orientation applied. */
  width: number
  height: number
  /** Whether the pixels are within the limits and sharp can decode them. */
  isDecodable: boolean
}

const SVG_MAX_BYTES = 10 * MEGABYTE
/** Share of the memory limit that a frame may use; the rest is for the runtime and the encoder. */
const MAX_FRAME_SHARE = 0.8

export async function openPicture(path: string, limits: DecoderLimits): Promise<Picture> {
  const { input, metadata } = await readHeader(path)
  const { width, height } = metadata.autoOrient
  const isDecodable =
    width * height <= limits.pixels &&
    frameMemory(metadata) <= limits.memoryBytes * MAX_FRAME_SHARE &&
    // HEIC uses HEVC, for which sharp has no decoder because of patents.
    (metadata.format !== 'heif' || metadata.compression === 'av1')
  return { input, metadata, width, height, isDecodable }
}

/**
 * The pixels of a picture. Unless `options` change `failOn`, reading them fails if they are damaged, because
 * a rewritten picture must not show damage as content. `'warning'` would also refuse harmless things such as
 * bytes after the end, which many cameras write.
 */
export function pixelsOf(picture: Picture, options: SharpOptions = {}) {
  return sharp(picture.input, {
    limitInputPixels: false, // openPicture has checked the number of pixels of a frame
    failOn: 'error',
    sequentialRead: true,
    autoOrient: true,
    pages: 1,
    ...options,
  })
}

async function readHeader(path: string): Promise<Pick<Picture, 'input' | 'metadata'>> {
  try {
    return { input: path, metadata: await readMetadata(path) }
  } catch (error) {
    if ((await stat(path)).size > SVG_MAX_BYTES) throw error
    const input = await readFile(path)
    const metadata = await readMetadata(input).catch(() => {
      throw error
    })
    return { input, metadata }
  }
}

function readMetadata(input: string | Uint8Array): Promise<Metadata> {
  return sharp(input, { limitInputPixels: false, pages: 1 }).metadata()
}

/**
 * Memory in bytes that decoding a frame needs, by measurement: baseline JPEG and non-interlaced PNG are
 * decoded line by line, AVIF took 19 bytes per pixel, other formats need the whole frame and a copy of it.
 */
function frameMemory({ format, width, height, isProgressive, depth, bitsPerSample }: Metadata): number {
  if ((format === 'jpeg' || format === 'png') && !isProgressive) return 0
  if (format === 'svg') return 0 // drawn at the requested size
  const depthFactor = depth !== 'uchar' || (bitsPerSample ?? 8) > 8 ? 2 : 1
  return width * height * (format === 'heif' ? 20 : 8) * depthFactor
}

/** Offset of the colour space signature in the header of a colour profile (ICC.1:2022, 7.2.6). */
const COLOUR_SPACE_OFFSET = 16

export function hasColourProfile({ icc }: Metadata): boolean {
  return icc !== undefined && icc.length > 0
}

/** Whether the picture has a colour profile for RGB; only such a profile may be stored with RGB pixels. */
export function hasRgbProfile({ icc, space }: Metadata): boolean {
  return space !== 'cmyk' && icc?.toString('latin1', COLOUR_SPACE_OFFSET, COLOUR_SPACE_OFFSET + 4) === 'RGB '
}
