/**
 * Reads and writes the orientation, the one field of EXIF that is kept, because it affects how a picture
 * looks. All other fields are removed.
 */

const ORIENTATION_TAG = 0x0112
const SHORT_TYPE = 3
const ENTRY_LENGTH = 12
/** The normal orientation, which need not be stated. */
const UPRIGHT = 1
const MAX_ORIENTATION = 8
/** Maximum number of bytes that are read of an EXIF block, more than any camera writes. */
export const MAX_EXIF_BYTES = 1024 * 1024

/** The orientation in an EXIF block; null if it is missing, invalid or the normal one. */
export function orientationOf(exif: Uint8Array): number | null {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength)
  if (view.byteLength < 8) return null
  const byteOrder = view.getUint16(0)
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) return null
  const isLittleEndian = byteOrder === 0x4949
  const directoryOffset = view.getUint32(4, isLittleEndian)
  if (directoryOffset + 2 > view.byteLength) return null
  const entryCount = view.getUint16(directoryOffset, isLittleEndian)
  for (
    let entryOffset = directoryOffset + 2;
    entryOffset < directoryOffset + 2 + entryCount * ENTRY_LENGTH;
    entryOffset += ENTRY_LENGTH
  ) {
    if (entryOffset + ENTRY_LENGTH > view.byteLength) return null
    if (view.getUint16(entryOffset, isLittleEndian) !== ORIENTATION_TAG) continue
    const orientation = view.getUint16(entryOffset + 8, isLittleEndian)
    const isIgnored =
      view.getUint16(entryOffset + 2, isLittleEndian) !== SHORT_TYPE ||
      orientation <= UPRIGHT ||
      orientation > MAX_ORIENTATION
    return isIgnored ? null : orientation
  }
  return null
}

/** Makes an EXIF block that contains only the orientation. */
export function exifWithOrientation(orientation: number): Buffer {
  const exif = Buffer.alloc(8 + 2 + ENTRY_LENGTH + 4)
  exif.write('MM\0*', 'latin1')
  exif.writeUInt32BE(8, 4)
  exif.writeUInt16BE(1, 8)
  exif.writeUInt16BE(ORIENTATION_TAG, 10)
  exif.writeUInt16BE(SHORT_TYPE, 12)
  exif.writeUInt32BE(1, 14)
  exif.writeUInt16BE(orientation, 18)
  return exif
}

/** The bytes before the EXIF block in a JPEG; some programs write them in a WebP too. */
export const EXIF_PREFIX = Buffer.from('Exif\0\0', 'latin1')

export const hasExifPrefix = (bytes: Buffer) => bytes.subarray(0, EXIF_PREFIX.length).equals(EXIF_PREFIX)
