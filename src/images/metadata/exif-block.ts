/** Finds the EXIF block in a JPEG, PNG or WebP file, reading as little as possible. */
import { EXIF_PREFIX, hasExifPrefix } from './orientation.ts'
import type { Source } from './pieces.ts'

/** Maximum number of bytes that are read of an EXIF block, more than any camera writes. */
const MAX_BLOCK_BYTES = 256 * 1024
const MAX_PARTS = 2000

/** A segment or chunk. `next`: the position after it. `exif`: the range of its EXIF bytes, if it has any. */
interface Part {
  next: number
  exif?: { at: number; length: number }
}

/**
 * Reads the part at this position. Resolves with null after the last part that can contain EXIF, and where
 * the file is damaged.
 */
type ReadPart = (source: Source, at: number) => Promise<Part | null>

/** The EXIF block; null if there is none. The file type is determined from the content, not from the name. */
export async function exifBlock(source: Source): Promise<Buffer | null> {
  const [start, readPart] = startAndReader(await source.read(0, 12))
  let at = start
  for (let parts = 0; readPart && at < source.size && parts < MAX_PARTS; parts++) {
    const part = await readPart(source, at)
    if (!part) return null
    if (part.exif) {
      const block = await source.read(part.exif.at, Math.min(part.exif.length, MAX_BLOCK_BYTES))
      if (hasExifPrefix(block)) return block.subarray(EXIF_PREFIX.length)
      // In a JPEG, the segment may contain XMP instead; in the other types, the EXIF prefix may be missing.
      if (readPart !== readJpegPart) return block
    }
    at = part.next
  }
  return null
}

function startAndReader(head: Buffer): [number, ReadPart | null] {
  const headText = head.toString('latin1')
  if (headText.startsWith('\xff\xd8\xff')) return [2, readJpegPart]
  if (headText.startsWith('\x89PNG\r\n\x1a\n')) return [8, readPngPart]
  return [12, headText.startsWith('RIFF') && headText.endsWith('WEBP') ? readWebpPart : null]
}

const readJpegPart: ReadPart = async (source, at) => {
  const head = await source.read(at, 4)
  const [fill, marker = 0] = head
  if (head.length < 4 || fill !== 0xff) return null
  if (marker === 0xff) return { next: at + 1 }
  const length = head.readUInt16BE(2)
  // The search ends at the first scan, since pixels follow. The length field counts its own two bytes.
  if (marker < 0xc0 || marker === 0xda || length < 2) return null
  return { next: at + 2 + length, ...(marker === 0xe1 && { exif: { at: at + 4, length: length - 2 } }) }
}

const readPngPart: ReadPart = async (source, at) => {
  const head = await source.read(at, 8)
  if (head.length < 8) return null
  const length = head.readUInt32BE(0)
  const isExif = head.toString('latin1', 4) === 'eXIf'
  return { next: at + 12 + length, ...(isExif && { exif: { at: at + 8, length } }) }
}

const readWebpPart: ReadPart = async (source, at) => {
  const head = await source.read(at, 8)
  if (head.length < 8) return null
  const length = head.readUInt32LE(4)
  const isExif = head.toString('latin1', 0, 4) === 'EXIF'
  return { next: at + 8 + length + (length % 2), ...(isExif && { exif: { at: at + 8, length } }) }
}
