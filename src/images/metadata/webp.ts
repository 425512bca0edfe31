/**
 * WebP (RFC 9649) is a RIFF file of chunks. Only the chunks that affect the look of the picture, and the
 * orientation from the EXIF chunk, are kept.
 */
import {
  EXIF_PREFIX,
  exifWithOrientation,
  hasExifPrefix,
  MAX_EXIF_BYTES,
  orientationOf,
} from './orientation.ts'
import { createPieceList, type FileSource, type Piece, type SelectPieces } from './pieces.ts'

const HEADER_LENGTH = 12
const EXIF_CHUNK = 'EXIF'
const FEATURES_CHUNK = 'VP8X'
const FRAME_CHUNK = 'ANMF'
const IMAGE_CHUNKS = new Set(['ALPH', 'VP8 ', 'VP8L'])
const PICTURE_CHUNKS = new Set([...IMAGE_CHUNKS, 'ICCP', 'ANIM'])
/** Number of bytes of a frame before its chunks: position, size, duration and flags. */
const FRAME_HEADER_LENGTH = 16
/** Bits of the first data byte of `VP8X`. */
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04

interface Chunk {
  type: string
  /** Number of data bytes, without the padding byte that follows data of odd length. */
  length: number
  start: number
  end: number
}

export const selectWebpPieces: SelectPieces = async source => {
  const chunks = await readChunks(source)
  if (!chunks) return null
  const exifChunk = chunks.find(({ type }) => type === EXIF_CHUNK)
  const orientation = exifChunk ? await readOrientation(source, exifChunk) : null
  const { pieces: keptPieces, add } = createPieceList()
  for (const chunk of chunks) {
    const { type, start, end } = chunk
    if (type === FEATURES_CHUNK) add(...(await featuresPieces(source, chunk, orientation !== null)))
    else if (type === FRAME_CHUNK) add(...(await stripFrame(source, chunk)))
    else if (PICTURE_CHUNKS.has(type)) add({ start, end })
  }
  if (orientation !== null) add(await exifPiece(source, exifChunk!, orientation))
  const length = keptPieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  const header = await source.read(0, HEADER_LENGTH)
  const isSameLength = header.readUInt32LE(4) === length + 4
  header.writeUInt32LE(length + 4, 4)
  return [isSameLength ? { start: 0, end: HEADER_LENGTH } : header, ...keptPieces]
}

const lengthOf = (piece: Piece) => (piece instanceof Uint8Array ? piece.length : piece.end - piece.start)

/**
 * The chunks of the file; null if the RIFF data or one of the chunks extends beyond the end of the file, if
 * there are too many chunks, or if none of them contains a picture.
 */
async function readChunks(source: FileSource): Promise<Chunk[] | null> {
  const end = 8 + (await source.read(4, 4)).readUInt32LE(0)
  if (end > source.size + 1) return null
  const chunks = await readChunksBetween(source, HEADER_LENGTH, end)
  return chunks?.some(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === FRAME_CHUNK)
    ? chunks
    : null
}

async function readChunksBetween(source: FileSource, start: number, end: number): Promise<Chunk[] | null> {
  const chunks: Chunk[] = []
  const { countPartAndCheckLimit: hasTooManyParts } = createPieceList()
  for (let offset = start; offset + 8 <= end; ) {
    const header = await source.read(offset, 8)
    if (header.length < 8 || hasTooManyParts()) return null
    const length = header.readUInt32LE(4)
    const nextOffset = offset + 8 + length + (length % 2)
    if (nextOffset > source.size) return null
    chunks.push({ type: header.toString('latin1', 0, 4), length, start: offset, end: nextOffset })
    offset = nextOffset
  }
  return chunks
}

/**
 * The pieces to keep of an animation frame: only its picture. If the frame contains nothing else or is
 * damaged, it is kept unchanged.
 */
async function stripFrame(source: FileSource, { start, length, end }: Chunk): Promise<Piece[]> {
  const dataStart = start + 8
  const chunks = await readChunksBetween(source, dataStart + FRAME_HEADER_LENGTH, dataStart + length)
  if (!chunks || chunks.every(({ type }) => IMAGE_CHUNKS.has(type))) return [{ start, end }]
  const imageChunks = chunks.filter(({ type }) => IMAGE_CHUNKS.has(type))
  const header = Buffer.from(await source.read(start, 8 + FRAME_HEADER_LENGTH))
  header.writeUInt32LE(FRAME_HEADER_LENGTH + imageChunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0), 4)
  return [header, ...imageChunks]
}

async function readOrientation(source: FileSource, { start, length }: Chunk): Promise<number | null> {
  const exif = await source.read(start + 8, Math.min(length, MAX_EXIF_BYTES))
  return orientationOf(hasExifPrefix(exif) ? exif.subarray(EXIF_PREFIX.length) : exif)
}

/**
 * The pieces of the `VP8X` chunk, which lists the features of the file: EXIF only if `hasExif`, XMP never.
 */
async function featuresPieces(source: FileSource, { start, end }: Chunk, hasExif: boolean): Promise<Piece[]> {
  const flagsOffset = start + 8
  const [oldFlags = 0] = await source.read(flagsOffset, 1)
  const flags = (oldFlags & ~(EXIF_FLAG | XMP_FLAG)) | (hasExif ? EXIF_FLAG : 0)
  if (flags === oldFlags || flagsOffset >= end) return [{ start, end }]
  return [{ start, end: flagsOffset }, Buffer.of(flags), { start: flagsOffset + 1, end }]
}

async function exifPiece(source: FileSource, { start, end }: Chunk, orientation: number): Promise<Piece> {
  const exif = exifWithOrientation(orientation)
  const newChunk = Buffer.concat([Buffer.from(EXIF_CHUNK), Buffer.alloc(4), exif])
  newChunk.writeUInt32LE(exif.length, 4)
  const isSame = newChunk.length === end - start && newChunk.equals(await source.read(start, newChunk.length))
  return isSame ? { start, end } : newChunk
}
