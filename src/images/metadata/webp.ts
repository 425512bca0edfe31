/**
 * WebP (RFC 9649) is a RIFF file of chunks. Only the chunks that affect the look of the picture, and the
 * orientation from the EXIF chunk, are kept.
 */
import { EXIF_PREFIX, exifWithOrientation, hasExifPrefix, orientationOf } from './orientation.ts'
import { createPieces, type Piece, type SelectPieces, type Source } from './pieces.ts'

const HEAD_LENGTH = 12
const EXIF_CHUNK = 'EXIF'
const FEATURES_CHUNK = 'VP8X'
const FRAME_CHUNK = 'ANMF'
const IMAGE_CHUNKS = new Set(['ALPH', 'VP8 ', 'VP8L'])
const PICTURE_CHUNKS = new Set([...IMAGE_CHUNKS, 'ICCP', 'ANIM'])
/** Number of bytes of a frame before its chunks: position, size and duration. */
const FRAME_HEAD_LENGTH = 16
/** Bits of the first byte of `VP8X`. */
const HAS_EXIF = 0x08
const HAS_XMP = 0x04
/** Maximum number of bytes that are read of an EXIF block, more than any camera writes. */
const MAX_EXIF_BYTES = 1024 * 1024

interface Chunk {
  type: string
  /** Number of data bytes, without the padding byte that follows an odd number. */
  length: number
  start: number
  end: number
}

export const selectWebpPieces: SelectPieces = async source => {
  const chunks = await readChunks(source)
  if (!chunks) return null
  const exifChunk = chunks.find(({ type }) => type === EXIF_CHUNK)
  const orientation = exifChunk ? await readOrientation(source, exifChunk) : null
  const { pieces: keptPieces, add } = createPieces()
  for (const chunk of chunks) {
    const { type, start, end } = chunk
    if (type === FEATURES_CHUNK) add(...(await featuresPieces(source, chunk, orientation !== null)))
    else if (type === FRAME_CHUNK) add(...(await strippedFrame(source, chunk)))
    else if (PICTURE_CHUNKS.has(type)) add({ start, end })
  }
  if (orientation !== null) add(await exifPiece(source, exifChunk!, orientation))
  const length = keptPieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  const head = await source.read(0, HEAD_LENGTH)
  const isSameLength = head.readUInt32LE(4) === length + 4
  head.writeUInt32LE(length + 4, 4)
  return [isSameLength ? { start: 0, end: HEAD_LENGTH } : head, ...keptPieces]
}

const lengthOf = (piece: Piece) => (piece instanceof Uint8Array ? piece.length : piece.end - piece.start)

/**
 * The chunks of the file; null if they exceed the file, if there are too many, or if none of them contains a
 * picture.
 */
async function readChunks(source: Source): Promise<Chunk[] | null> {
  const end = 8 + (await source.read(4, 4)).readUInt32LE(0)
  if (end > source.size + 1) return null
  const chunks = await readChunksBetween(source, HEAD_LENGTH, end)
  return chunks?.some(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === FRAME_CHUNK)
    ? chunks
    : null
}

async function readChunksBetween(source: Source, begin: number, end: number): Promise<Chunk[] | null> {
  const chunks: Chunk[] = []
  const { hasTooManyParts } = createPieces()
  for (let at = begin; at + 8 <= end; ) {
    const head = await source.read(at, 8)
    if (head.length < 8 || hasTooManyParts()) return null
    const length = head.readUInt32LE(4)
    const nextAt = at + 8 + length + (length % 2)
    if (nextAt > source.size) return null
    chunks.push({ type: head.toString('latin1', 0, 4), length, start: at, end: nextAt })
    at = nextAt
  }
  return chunks
}

/**
 * The pieces to keep of an animation frame: only its picture. If the frame contains nothing else or is
 * damaged, it is kept unchanged.
 */
async function strippedFrame(source: Source, { start, length, end }: Chunk): Promise<Piece[]> {
  const dataStart = start + 8
  const chunks = await readChunksBetween(source, dataStart + FRAME_HEAD_LENGTH, dataStart + length)
  if (!chunks || chunks.every(({ type }) => IMAGE_CHUNKS.has(type))) return [{ start, end }]
  const imageChunks = chunks.filter(({ type }) => IMAGE_CHUNKS.has(type))
  const head = Buffer.from(await source.read(start, 8 + FRAME_HEAD_LENGTH))
  head.writeUInt32LE(FRAME_HEAD_LENGTH + imageChunks.reduce((sum, piece) => sum + lengthOf(piece), 0), 4)
  return [head, ...imageChunks]
}

async function readOrientation(source: Source, { start, length }: Chunk): Promise<number | null> {
  const exif = await source.read(start + 8, Math.min(length, MAX_EXIF_BYTES))
  return orientationOf(hasExifPrefix(exif) ? exif.subarray(EXIF_PREFIX.length) : exif)
}

/**
 * The pieces of the `VP8X` chunk, which lists the features of the file: EXIF only if `hasExif`, XMP never.
 */
async function featuresPieces(source: Source, { start, end }: Chunk, hasExif: boolean): Promise<Piece[]> {
  const flagsAt = start + 8
  const [oldFlags = 0] = await source.read(flagsAt, 1)
  const flags = (oldFlags & ~(HAS_EXIF | HAS_XMP)) | (hasExif ? HAS_EXIF : 0)
  if (flags === oldFlags || flagsAt >= end) return [{ start, end }]
  return [{ start, end: flagsAt }, Buffer.of(flags), { start: flagsAt + 1, end }]
}

async function exifPiece(source: Source, { start, end }: Chunk, orientation: number): Promise<Piece> {
  const exif = exifWithOrientation(orientation)
  const newChunk = Buffer.concat([Buffer.from(EXIF_CHUNK), Buffer.alloc(4), exif])
  newChunk.writeUInt32LE(exif.length, 4)
  const isSame = newChunk.length === end - start && newChunk.equals(await source.read(start, newChunk.length))
  return isSame ? { start, end } : newChunk
}
