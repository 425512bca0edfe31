/** Finds the EXIF block in a JPEG, PNG or WebP file, reading as little as possible. */
import { EXIF_PREFIX, hasExifPrefix } from './orientation.ts'
import type { FileSource } from './pieces.ts'

/** Maximum number of bytes that are read of an EXIF block, more than any camera writes. */
const MAX_BLOCK_BYTES = 256 * 1024
const MAX_PARTS = 2000

/**
 * A segment or chunk. `nextOffset`: the position after it. `exif`: the range of its EXIF bytes, if it has
 * any.
 */
interface ImagePart {
  nextOffset: number
  exif?: { offset: number; length: number }
}

/**
 * Reads the part at this position. Resolves with null after the last part that can contain EXIF, and where
 * the file is damaged.
 */
type ReadPart = (source: FileSource, offset: number) => Promise<ImagePart | null>

/** The EXIF block; null if there is none. The file type is determined from the content, not from the name. */
export async function exifBlock(source: FileSource): Promise<Buffer | null> {
  const [start, readPart] = chooseReader(await source.read(0, 12))
  let offset = start
  for (let partCount = 0; readPart && offset < source.size && partCount < MAX_PARTS; partCount++) {
    const part = await readPart(source, offset)
    if (!part) return null
    if (part.exif) {
      const block = await source.read(part.exif.offset, Math.min(part.exif.length, MAX_BLOCK_BYTES))
      if (hasExifPrefix(block)) return block.subarray(EXIF_PREFIX.length)
      // In a JPEG, the segment may contain XMP instead; in the other types, the EXIF prefix may be missing.
      if (readPart !== readJpegPart) return block
    }
    offset = part.nextOffset
  }
  return null
}

function chooseReader(header: Buffer): [number, ReadPart | null] {
  const headerText = header.toString('latin1')
  if (headerText.startsWith('\xff\xd8\xff')) return [2, readJpegPart]
  if (headerText.startsWith('\x89PNG\r\n\x1a\n')) return [8, readPngPart]
  return [12, headerText.startsWith('RIFF') && headerText.endsWith('WEBP') ? readWebpPart : null]
}

const readJpegPart: ReadPart = async (source, offset) => {
  const header = await source.read(offset, 4)
  const [firstByte, marker = 0] = header
  if (header.length < 4 || firstByte !== 0xff) return null
  if (marker === 0xff) return { nextOffset: offset + 1 }
  const length = header.readUInt16BE(2)
  // The search ends at the first scan, since pixels follow. The length field counts its own two bytes.
  if (marker < 0xc0 || marker === 0xda || length < 2) return null
  return {
    nextOffset: offset + 2 + length,
    ...(marker === 0xe1 && { exif: { offset: offset + 4, length: length - 2 } }),
  }
}

const readPngPart: ReadPart = async (source, offset) => {
  const header = await source.read(offset, 8)
  if (header.length < 8) return null
  const length = header.readUInt32BE(0)
  const isExif = header.toString('latin1', 4) === 'eXIf'
  return { nextOffset: offset + 12 + length, ...(isExif && { exif: { offset: offset + 8, length } }) }
}

const readWebpPart: ReadPart = async (source, offset) => {
  const header = await source.read(offset, 8)
  if (header.length < 8) return null
  const length = header.readUInt32LE(4)
  const isExif = header.toString('latin1', 0, 4) === 'EXIF'
  return {
    nextOffset: offset + 8 + length + (length % 2),
    ...(isExif && { exif: { offset: offset + 8, length } }),
  }
}
