/**
 * PNG (W3C, third edition): a list of chunks. Only the orientation and the chunks that affect the look of the
 * picture are kept. Texts (XMP among them), time, EXIF and private chunks are removed.
 */
import { crc32 } from 'node:zlib'
import { exifWith, orientationOf } from './orientation.ts'
import { createPieces, type Piece, type SelectPieces, type Source } from './pieces.ts'

const SIGNATURE_LENGTH = 8
const EXIF = 'eXIf'
/** Chunks with pixels, colours, transparency, density, background and frames. */
const KEPT_CHUNKS = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND'],
  ...['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'pHYs', 'bKGD'],
  ...['acTL', 'fcTL', 'fdAT'],
])
/**
 * Maximum number of bytes of EXIF, more than any camera writes; from a longer block no orientation is read.
 */
const EXIF_READ = 1024 * 1024

export const selectPngPieces: SelectPieces = async source => {
  const { pieces, add, isTooMany } = createPieces()
  add({ start: 0, end: SIGNATURE_LENGTH })
  let hasPicture = false
  for (let at = SIGNATURE_LENGTH; at < source.size; ) {
    const head = await source.read(at, 8)
    const type = head.toString('latin1', 4)
    const end = head.length === 8 ? at + 12 + head.readUInt32BE(0) : Number.POSITIVE_INFINITY
    // A viewer shows the pixels that it has, so a damaged rest of the file is kept.
    if (end > source.size || !/^[A-Za-z]{4}$/.test(type) || isTooMany()) {
      if (!hasPicture) return null
      add({ start: at, end: source.size })
      return pieces
    }
    if (type === EXIF) add(...(await orientationIn(source, at, end)))
    else if (KEPT_CHUNKS.has(type)) add({ start: at, end })
    if (type === 'IDAT') hasPicture = true
    if (type === 'IEND') return pieces
    at = end
  }
  return hasPicture ? pieces : null
}

async function orientationIn(source: Source, start: number, end: number): Promise<Piece[]> {
  const orientation = orientationOf(await source.read(start + 8, Math.min(end - start - 12, EXIF_READ)))
  if (orientation === null) return []
  const kept = chunk(EXIF, exifWith(orientation))
  const isSame = kept.length === end - start && kept.equals(await source.read(start, kept.length))
  return [isSame ? { start, end } : kept]
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)])
}
