/**
 * The orientation is the only field of EXIF that affects how a picture looks, so it is the only one that is
 * kept.
 */

const ORIENTATION = 0x0112
const SHORT = 3
const ENTRY = 12
/** The normal orientation, which need not be stated. */
const UPRIGHT = 1
const MOST = 8

/** The orientation; null if there is none, or the normal one. */
export function orientationOf(exif: Uint8Array): number | null {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength)
  if (view.byteLength < 8) return null
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return null
  const little = order === 0x4949
  const list = view.getUint32(4, little)
  if (list + 2 > view.byteLength) return null
  const count = view.getUint16(list, little)
  for (let entry = list + 2; entry < list + 2 + count * ENTRY; entry += ENTRY) {
    if (entry + ENTRY > view.byteLength) return null
    if (view.getUint16(entry, little) !== ORIENTATION) continue
    const value = view.getUint16(entry + 8, little)
    const isUsual = view.getUint16(entry + 2, little) !== SHORT || value <= UPRIGHT || value > MOST
    return isUsual ? null : value
  }
  return null
}

/** An EXIF block with the orientation alone. */
export function exifWith(orientation: number): Buffer {
  const exif = Buffer.alloc(8 + 2 + ENTRY + 4)
  exif.write('MM\0*', 'latin1')
  exif.writeUInt32BE(8, 4)
  exif.writeUInt16BE(1, 8)
  exif.writeUInt16BE(ORIENTATION, 10)
  exif.writeUInt16BE(SHORT, 12)
  exif.writeUInt32BE(1, 14)
  exif.writeUInt16BE(orientation, 18)
  return exif
}

/** The marker before EXIF in a JPEG; some programs write it in a WebP too. */
export const EXIF_MARK = Buffer.from('Exif\0\0', 'latin1')

export const hasExifMark = (bytes: Buffer) => bytes.subarray(0, EXIF_MARK.length).equals(EXIF_MARK)
