/**
 * JPEG (ITU T.81, annex B) consists of segments before and between scans. Only what affects the look of the
 * picture is kept: tables and frames, JFIF without its thumbnail, the colour profile, Adobe's colour
 * transform and the orientation. Further pictures after the end are removed too, as they have metadata of
 * their own.
 */

import type { ByteRange } from '../../storage/storage.ts'
import { EXIF_PREFIX, exifWithOrientation, hasExifPrefix, orientationOf } from './orientation.ts'
import { createPieceList, type FileSource, type Piece, type SelectPieces } from './pieces.ts'

const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee

/**
 * Whether a segment contains a frame, tables or a scan. These are the segments that the standard itself
 * defines, and the two of JPEG-LS (ITU T.87).
 */
const isPictureSegment = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xdf) || marker === 0xf7 || marker === 0xf8

/**
 * The first bytes of the payloads of those application segments that affect the look of a picture, besides
 * EXIF.
 */
const COLOUR_PROFILE_PREFIX = 'ICC_PROFILE\0'
const JFIF_PREFIX = 'JFIF\0'
const ADOBE_PREFIX = 'Adobe'
/**
 * Number of bytes to keep of a JFIF and of an Adobe payload. In JFIF, the last two of them are the width and
 * height of the thumbnail that follows (JFIF 1.02).
 */
const JFIF_KEPT_LENGTH = 14
const ADOBE_KEPT_LENGTH = 12
/** Number of bytes that are searched at a time for the end of a scan. */
const SEARCH_CHUNK_SIZE = 256 * 1024

const isRestartMarker = (marker: number) => marker >= 0xd0 && marker <= 0xd7

export const selectJpegPieces: SelectPieces = async source => {
  const { pieces, add, countPartAndCheckLimit: hasTooManyParts } = createPieceList()
  add({ start: 0, end: 2 })
  let hasScan = false
  for (let offset = 2; offset < source.size; ) {
    const header = await source.read(offset, 4)
    const marker = header[0] === 0xff ? (header[1] ?? 0) : 0
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      offset++
      continue
    }
    if (marker === END_OF_IMAGE) {
      add({ start: offset, end: offset + 2 })
      return pieces
    }
    const end = header.length === 4 ? offset + 2 + header.readUInt16BE(2) : Number.POSITIVE_INFINITY
    const isSegment =
      marker >= 0xc0 && !isRestartMarker(marker) && marker !== START_OF_IMAGE && end >= offset + 4
    // After the first scan a viewer shows the pixels that it has, so a damaged rest of the file is kept.
    if (!isSegment || end > source.size || hasTooManyParts()) {
      if (!hasScan) return null
      add({ start: offset, end: source.size })
      return pieces
    }
    add(...(await keptPieces(source, marker, offset, end)))
    offset = end
    if (marker !== START_OF_SCAN) continue
    hasScan = true
    offset = await findScanEnd(source, offset)
    add({ start: end, end: offset })
  }
  return hasScan ? pieces : null
}

async function keptPieces(source: FileSource, marker: number, start: number, end: number): Promise<Piece[]> {
  if (isPictureSegment(marker)) return [{ start, end }]
  if (marker === APP1) return orientationPieces(source, start, end)
  const payload = await source.read(start + 4, Math.min(end - start - 4, JFIF_KEPT_LENGTH))
  const beginsWith = (prefix: string) => payload.toString('latin1', 0, prefix.length) === prefix
  if (marker === APP2 && beginsWith(COLOUR_PROFILE_PREFIX)) return [{ start, end }]
  if (marker === APP0 && beginsWith(JFIF_PREFIX) && payload.length === JFIF_KEPT_LENGTH)
    return rewriteSegment(marker, Buffer.concat([payload.subarray(0, -2), Buffer.alloc(2)]), {
      source,
      start,
      end,
    })
  if (marker === APP14 && beginsWith(ADOBE_PREFIX) && payload.length >= ADOBE_KEPT_LENGTH)
    return rewriteSegment(marker, payload.subarray(0, ADOBE_KEPT_LENGTH), { source, start, end })
  return []
}

/**
 * The piece for a segment with this payload. If the original segment already has exactly this payload, the
 * piece is its range in the source; otherwise it consists of new bytes.
 */
async function rewriteSegment(
  marker: number,
  payload: Buffer,
  original: ByteRange & { source: FileSource },
): Promise<Piece[]> {
  const { source, start, end } = original
  const newSegment = Buffer.concat([Buffer.of(0xff, marker, 0, payload.length + 2), payload])
  const isSame =
    newSegment.length === end - start && newSegment.equals(await source.read(start, newSegment.length))
  return [isSame ? { start, end } : newSegment]
}

/**
 * The pieces to keep of an APP1 segment: the orientation if the segment is EXIF and the orientation is not
 * the normal one; otherwise nothing.
 */
async function orientationPieces(source: FileSource, start: number, end: number): Promise<Piece[]> {
  const payload = await source.read(start + 4, end - start - 4)
  const orientation = hasExifPrefix(payload) ? orientationOf(payload.subarray(EXIF_PREFIX.length)) : null
  if (orientation === null) return []
  return rewriteSegment(APP1, Buffer.concat([EXIF_PREFIX, exifWithOrientation(orientation)]), {
    source,
    start,
    end,
  })
}

/**
 * The position of the segment after a scan, or the end of the file if there is none. Inside a scan, 0xFF is
 * followed by 0, a restart marker or another 0xFF; 0xFF and any other byte begin a segment.
 */
async function findScanEnd(source: FileSource, start: number): Promise<number> {
  for (let chunkStart = start; chunkStart < source.size - 1; ) {
    const chunk = await source.read(chunkStart, SEARCH_CHUNK_SIZE)
    for (
      let index = chunk.indexOf(0xff);
      index >= 0 && index + 1 < chunk.length;
      index = chunk.indexOf(0xff, index + 1)
    ) {
      const marker = chunk[index + 1]!
      if (marker !== 0 && marker !== 0xff && !isRestartMarker(marker)) return chunkStart + index
    }
    // The last byte is read again, because it may be the first of the two bytes of a marker.
    chunkStart += Math.max(1, chunk.length - 1)
  }
  return source.size
}
