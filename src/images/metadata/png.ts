/**
 * PNG (W3C, third edition) is a list of chunks. Only those that affect the look of the picture, and the
 * orientation from the EXIF chunk, are kept. Texts (XMP among them), time, the rest of EXIF and private
 * chunks are removed.
 */
import { crc32 } from 'node:zlib'
import { exifWithOrientation, MAX_EXIF_BYTES, orientationOf } from './orientation.ts'
import { createPieceList, type FileSource, type Piece, type SelectPieces } from './pieces.ts'

const SIGNATURE_LENGTH = 8
const EXIF_CHUNK = 'eXIf'
/** Chunks with pixels, colours, transparency, density, background and frames. */
const KEPT_CHUNKS = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sRGB',
  'cICP',
  'mDCV',
  'cLLI',
  'sBIT',
  'pHYs',
  'bKGD',
  'acTL',
  'fcTL',
  'fdAT',
])

export const selectPngPieces: SelectPieces = async source => {
  const { pieces, add, countPartAndCheckLimit: hasTooManyParts } = createPieceList()
  add({ start: 0, end: SIGNATURE_LENGTH })
  let hasPicture = false
  for (let offset = SIGNATURE_LENGTH; offset < source.size; ) {
    const header = await source.read(offset, 8)
    const type = header.toString('latin1', 4)
    const end = header.length === 8 ? offset + 12 + header.readUInt32BE(0) : Number.POSITIVE_INFINITY
    // After the first pixels, a damaged rest of the file is kept: a viewer shows the pixels that it has.
    if (end > source.size || !/^[A-Za-z]{4}$/.test(type) || hasTooManyParts()) {
      if (!hasPicture) return null
      add({ start: offset, end: source.size })
      return pieces
    }
    if (type === EXIF_CHUNK) add(...(await orientationPieces(source, offset, end)))
    else if (KEPT_CHUNKS.has(type)) add({ start: offset, end })
    if (type === 'IDAT') hasPicture = true
    if (type === 'IEND') return pieces
    offset = end
  }
  return hasPicture ? pieces : null
}

async function orientationPieces(source: FileSource, start: number, end: number): Promise<Piece[]> {
  const orientation = orientationOf(await source.read(start + 8, Math.min(end - start - 12, MAX_EXIF_BYTES)))
  if (orientation === null) return []
  const newChunk = createChunk(EXIF_CHUNK, exifWithOrientation(orientation))
  const isSame = newChunk.length === end - start && newChunk.equals(await source.read(start, newChunk.length))
  return [isSame ? { start, end } : newChunk]
}

function createChunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const lengthAndChecksum = Buffer.alloc(8)
  lengthAndChecksum.writeUInt32BE(data.length, 0)
  lengthAndChecksum.writeUInt32BE(crc32(typeAndData), 4)
  return Buffer.concat([lengthAndChecksum.subarray(0, 4), typeAndData, lengthAndChecksum.subarray(4)])
}
