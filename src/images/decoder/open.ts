import { readFile, stat } from 'node:fs/promises'
import type { Metadata, SharpOptions } from 'sharp'
import { MEGABYTE } from '../../contract/units.ts'
import type { DecoderLimits } from '../options.ts'
import { sharp } from './library.ts'

/** A picture of which only the header was read. */
export interface Picture {
  input: string | Uint8Array
  metadata: Metadata
  /** As a viewer sees it, orientation applied. */
  width: number
  height: number
  /** False: its pixels would not fit, or nothing here can decode them. */
  decodable: boolean
}

const SVG_MAX_BYTES = 10 * MEGABYTE
/** Leaves room for runtime and encoder. */
const FRAME_SHARE = 0.8

export async function openPicture(source: string, limits: DecoderLimits): Promise<Picture> {
  const { input, metadata } = await readHeader(source)
  const { width, height } = metadata.autoOrient
  const decodable =
    width * height <= limits.pixels &&
    frameBytes(metadata) <= limits.memoryBytes * FRAME_SHARE &&
    // HEIC is HEVC, whose decoder is not in the library for its patents.
    (metadata.format !== 'heif' || metadata.compression === 'av1')
  return { input, metadata, width, height, decodable }
}

/**
 * Damage makes decoding fail ('error'), for a rewritten picture must not pass damage off as content. Not
 * 'warning': that refuses harmless oddities such as bytes after the end, which many cameras write.
 */
export function pixelsOf(picture: Picture, options: SharpOptions = {}) {
  return sharp(picture.input, {
    limitInputPixels: false, // counted by openPicture, for one frame
    failOn: 'error',
    sequentialRead: true,
    autoOrient: true,
    pages: 1,
    ...options,
  })
}

async function readHeader(source: string): Promise<Pick<Picture, 'input' | 'metadata'>> {
  try {
    return { input: source, metadata: await header(source) }
  } catch (error) {
    if ((await stat(source)).size > SVG_MAX_BYTES) throw error
    const input = await readFile(source)
    const metadata = await header(input).catch(() => {
      throw error
    })
    return { input, metadata }
  }
}

function header(input: string | Uint8Array): Promise<Metadata> {
  return sharp(input, { limitInputPixels: false, pages: 1 }).metadata()
}

/**
 * About what decoding holds in memory, as measured: baseline JPEG and plain PNG stream a few lines at a time, AVIF
 * took 19 bytes for each pixel, others their whole frame with a copy.
 */
function frameBytes({ format, width, height, isProgressive, depth, bitsPerSample }: Metadata): number {
  if ((format === 'jpeg' || format === 'png') && !isProgressive) return 0
  if (format === 'svg') return 0 // drawn at the size asked for
  const deep = depth !== 'uchar' || (bitsPerSample ?? 8) > 8 ? 2 : 1
  return width * height * (format === 'heif' ? 20 : 8) * deep
}
