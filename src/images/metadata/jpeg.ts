/**
 * JPEG (ITU T.81, annex B): segments before and between the scans. Of the segments for applications only those stay
 * that decide how the picture looks: JFIF, the colour profile and Adobe's colour transform. EXIF, XMP, IPTC, comments
 * and what cameras invent go, as do the further pictures behind the end, which have such data of their own.
 */
import { EXIF_MARK, exifWith, hasExifMark, orientationOf } from './orientation.ts'
import { createPieces, type Piece, type Source, type TakeApart } from './pieces.ts'

const START = 0xd8
const END = 0xd9
const SCAN = 0xda
const COMMENT = 0xfe
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef

const COLOUR_PROFILE = 'ICC_PROFILE\0'
/** Bytes that are searched for the end of a scan at once. */
const CHUNK = 256 * 1024

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

export const takeJpegApart: TakeApart = async source => {
  const { pieces, add, isTooMany } = createPieces()
  add({ start: 0, end: 2 })
  let hasScan = false
  for (let at = 2; at < source.size; ) {
    const head = await source.read(at, 4)
    const marker = head[0] === 0xff ? (head[1] ?? 0) : 0
    // Any number of bytes may fill the room before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === END) {
      add({ start: at, end: at + 2 })
      return pieces
    }
    const end = head.length === 4 ? at + 2 + head.readUInt16BE(2) : Number.POSITIVE_INFINITY
    const isSegment = marker >= 0xc0 && !isRestart(marker) && marker !== START && end >= at + 4
    // Behind the first scan a viewer shows what it got so far, so the damaged rest stays as it is.
    if (!isSegment || end > source.size || isTooMany()) {
      if (!hasScan) return null
      add({ start: at, end: source.size })
      return pieces
    }
    add(...(await keptOf(source, marker, at, end)))
    at = end
    if (marker !== SCAN) continue
    hasScan = true
    at = await endOfScan(source, at)
    add({ start: end, end: at })
  }
  return hasScan ? pieces : null
}

async function keptOf(source: Source, marker: number, start: number, end: number): Promise<Piece[]> {
  const whole = [{ start, end }]
  const payload = start + 4
  if (marker === APP1) return orientationIn(await source.read(start, end - start), start)
  if (marker === APP2) {
    const name = await source.read(payload, COLOUR_PROFILE.length)
    return name.toString('latin1') === COLOUR_PROFILE ? whole : []
  }
  const isForOthers = (marker > APP0 && marker <= APP15 && marker !== APP14) || marker === COMMENT
  return isForOthers ? [] : whole
}

/** What stays of EXIF, or of XMP, which has the same marker. */
function orientationIn(segment: Buffer, start: number): Piece[] {
  const payload = segment.subarray(4)
  const orientation = hasExifMark(payload) ? orientationOf(payload.subarray(EXIF_MARK.length)) : null
  if (orientation === null) return []
  const exif = Buffer.concat([EXIF_MARK, exifWith(orientation)])
  const head = Buffer.of(0xff, APP1, 0, exif.length + 2)
  const kept = Buffer.concat([head, exif])
  return [kept.equals(segment) ? { start, end: start + segment.length } : kept]
}

/** Inside a scan 0xFF is followed by 0, by a restart marker or by another 0xFF; anything else is the next segment. */
async function endOfScan(source: Source, start: number): Promise<number> {
  for (let from = start; from < source.size - 1; ) {
    const chunk = await source.read(from, CHUNK)
    for (let at = chunk.indexOf(0xff); at >= 0 && at + 1 < chunk.length; at = chunk.indexOf(0xff, at + 1)) {
      const marker = chunk[at + 1]!
      if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return from + at
    }
    // The last byte is read again, since a marker has two bytes.
    from += Math.max(1, chunk.length - 1)
  }
  return source.size
}
