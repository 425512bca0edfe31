/**
 * Reads from EXIF (a TIFF structure) when, where and with which camera a picture was taken. Invalid values
 * are dropped.
 */

export interface ExifDetails {
  /** The local time that the camera's clock showed, such as `2024-05-06T07:08:09`. */
  takenAt?: string
  camera?: string
  /** Degrees, positive to the north and east. */
  place?: { latitude: number; longitude: number }
}

const MAKE_TAG = 0x010f
const MODEL_TAG = 0x0110
const EXIF_DIRECTORY_TAG = 0x8769
const DATE_TAKEN_TAG = 0x9003
const GPS_DIRECTORY_TAG = 0x8825
const LATITUDE = { hemisphereTag: 1, valueTag: 2, negativeHemisphere: 'S', maxDegrees: 90 }
const LONGITUDE = { hemisphereTag: 3, valueTag: 4, negativeHemisphere: 'W', maxDegrees: 180 }

const ENTRY_LENGTH = 12
const ASCII_TYPE = 2
const LONG_TYPE = 4
const RATIONAL_TYPE = 5
const MAX_ENTRIES = 500
const MAX_TEXT_BYTES = 100
/** Number of bytes of a single value, for each field type that we read. */
const VALUE_LENGTHS: Readonly<Record<number, number>> = {
  [ASCII_TYPE]: 1,
  [LONG_TYPE]: 4,
  [RATIONAL_TYPE]: 8,
}

export function parseExif(block: Uint8Array): ExifDetails {
  const tiff = openTiff(block)
  if (!tiff) return {}
  const mainFields = tiff.readDirectory(tiff.mainDirectory)
  const takenAt = parseExifTime(
    tiff.text(tiff.readDirectory(tiff.pointer(mainFields, EXIF_DIRECTORY_TAG)).get(DATE_TAKEN_TAG)),
  )
  const camera = cameraOf(tiff.text(mainFields.get(MAKE_TAG)), tiff.text(mainFields.get(MODEL_TAG)))
  const gps = tiff.readDirectory(tiff.pointer(mainFields, GPS_DIRECTORY_TAG))
  const [latitude, longitude] = [LATITUDE, LONGITUDE].map(axis => degreesOf(tiff, gps, axis))
  return {
    ...(takenAt !== null && { takenAt }),
    ...(camera !== '' && { camera }),
    ...(latitude != null && longitude != null && { place: { latitude, longitude } }),
  }
}

interface TiffField {
  type: number
  count: number
  /** Offset of the values in the block. */
  offset: number
}
type TiffFields = ReadonlyMap<number, TiffField>
type Tiff = NonNullable<ReturnType<typeof openTiff>>

function openTiff(block: Uint8Array) {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  const byteOrder = view.byteLength < 8 ? 0 : view.getUint16(0)
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) return null
  const isLittleEndian = byteOrder === 0x4949
  const isInBlock = (offset: number, length: number) => offset + length <= view.byteLength

  /** The fields of the directory at this offset, by tag; empty if there is no directory. */
  function readDirectory(offset: number | null): TiffFields {
    const fields = new Map<number, TiffField>()
    const count =
      offset !== null && isInBlock(offset, 2)
        ? Math.min(view.getUint16(offset, isLittleEndian), MAX_ENTRIES)
        : 0
    for (let index = 0; index < count; index++) {
      const entryOffset = offset! + 2 + index * ENTRY_LENGTH
      if (!isInBlock(entryOffset, ENTRY_LENGTH)) break
      const type = view.getUint16(entryOffset + 2, isLittleEndian)
      const valueCount = view.getUint32(entryOffset + 4, isLittleEndian)
      const length = (VALUE_LENGTHS[type] ?? 0) * valueCount
      // Values of up to four bytes are in the entry itself; otherwise the entry has their offset.
      const valuesOffset = length <= 4 ? entryOffset + 8 : view.getUint32(entryOffset + 8, isLittleEndian)
      if (length > 0 && isInBlock(valuesOffset, length))
        fields.set(view.getUint16(entryOffset, isLittleEndian), {
          type,
          count: valueCount,
          offset: valuesOffset,
        })
    }
    return fields
  }

  return {
    mainDirectory: view.getUint32(4, isLittleEndian),
    readDirectory,
    pointer(fields: TiffFields, tag: number): number | null {
      const field = fields.get(tag)
      return field?.type === LONG_TYPE ? view.getUint32(field.offset, isLittleEndian) : null
    },
    text(field: TiffField | undefined): string {
      if (field?.type !== ASCII_TYPE) return ''
      const bytes = block.subarray(field.offset, field.offset + Math.min(field.count, MAX_TEXT_BYTES))
      const [text = ''] = Buffer.from(bytes).toString('latin1').split('\0')
      return [...text].filter(isPrintable).join('').trim()
    },
    rationals(field: TiffField | undefined): number[] {
      if (field?.type !== RATIONAL_TYPE) return []
      const offsets = Array.from({ length: Math.min(field.count, 3) }, (_, index) => field.offset + index * 8)
      return offsets.map(
        offset => view.getUint32(offset, isLittleEndian) / view.getUint32(offset + 4, isLittleEndian),
      )
    },
  }
}

const isPrintable = (character: string) => character >= ' ' && (character < '\x7f' || character > '\x9f')

/** Parses `2024:05:06 07:08:09`. Null for any other text: a camera without a clock writes zeros or blanks. */
function parseExifTime(text: string): string | null {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text)
  if (!match) return null
  const [, year, month, day, time] = match
  const moment = `${year}-${month}-${day}T${time}`
  return Number(year) > 0 && !Number.isNaN(Date.parse(`${moment}Z`)) ? moment : null
}

/**
 * Maker and model in one text. Many model names begin with the name of the maker, which is then not repeated.
 */
const cameraOf = (make: string, model: string) =>
  model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`.trim()

function degreesOf(
  tiff: Tiff,
  gps: TiffFields,
  { hemisphereTag, valueTag, negativeHemisphere, maxDegrees }: typeof LATITUDE,
): number | null {
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = tiff.rationals(gps.get(valueTag))
  const decimalDegrees = degrees + minutes / 60 + seconds / 3600
  if (!(decimalDegrees <= maxDegrees)) return null
  return (
    Math.round(
      (tiff.text(gps.get(hemisphereTag)) === negativeHemisphere ? -decimalDegrees : decimalDegrees) * 1e6,
    ) / 1e6
  )
}
