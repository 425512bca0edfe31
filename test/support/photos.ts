/**
 * Pictures as a phone takes them: with location, camera and comments in every block of their type that can
 * hold them.
 */
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { randomBytes } from './bytes.ts'

export type PhotoType = 'jpeg' | 'png' | 'webp'

export interface PhotoOptions {
  width?: number
  height?: number
  /** EXIF orientation; 6 means: rotate by 90° clockwise to see it upright. */
  orientation?: number
  profile?: boolean
  progressive?: boolean
  seed?: number
}

/** Words that the metadata of every photo contains, and no picture without metadata. */
export const PLACE_MARKS = ['Kamera-Hersteller', 'Platz der Luftbruecke', 'IPTC-Ort'] as const
const [CAMERA, XMP_PLACE, IPTC_PLACE] = PLACE_MARKS

export async function photo(type: PhotoType, options: PhotoOptions = {}): Promise<Buffer<ArrayBuffer>> {
  const { width = 24, height = 16, orientation = 1, profile = false, progressive = false, seed = 1 } = options
  let picture = sharp(Buffer.from(randomBytes(seed, width * height * 3)), {
    raw: { width, height, channels: 3 },
  })
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Make: CAMERA, Model: 'Geraet 7' },
      IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 29/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 23/1 0/1',
      },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><place>${XMP_PLACE}</place></x:xmpmeta>`)
  if (profile) picture = picture.withIccProfile('p3')
  const bytes = await picture
    .toFormat(type, { ...(progressive && type !== 'webp' && { progressive }) })
    .toBuffer()
  return withIptc[type](bytes) as Buffer<ArrayBuffer>
}

/** What no library writes: IPTC and a comment, each where its type stores them. */
const withIptc: Record<PhotoType, (bytes: Buffer) => Buffer> = {
  jpeg: bytes => {
    const segment = (marker: number, text: string) => {
      const head = Buffer.of(0xff, marker, 0, text.length + 2)
      return Buffer.concat([head, Buffer.from(text, 'latin1')])
    }
    const added = [segment(0xed, `Photoshop 3.0\0${IPTC_PLACE}`), segment(0xfe, IPTC_PLACE)]
    return Buffer.concat([bytes.subarray(0, 2), ...added, bytes.subarray(2)])
  },
  png: bytes => {
    // XMP too, which the library writes compressed.
    const named = Buffer.from(`tEXtComment\0${IPTC_PLACE} ${XMP_PLACE}`, 'latin1')
    const around = Buffer.alloc(8)
    around.writeUInt32BE(named.length - 4, 0)
    around.writeUInt32BE(crc32(named), 4)
    // After the signature and the first chunk, which is always 25 bytes long.
    const chunk = [around.subarray(0, 4), named, around.subarray(4)]
    return Buffer.concat([bytes.subarray(0, 33), ...chunk, bytes.subarray(33)])
  },
  webp: bytes => {
    const text = Buffer.from(IPTC_PLACE.padEnd(IPTC_PLACE.length + (IPTC_PLACE.length % 2)), 'latin1')
    const head = Buffer.from('IPTC\0\0\0\0', 'latin1')
    head.writeUInt32LE(text.length, 4)
    const whole = Buffer.concat([bytes, head, text])
    whole.writeUInt32LE(whole.length - 8, 4)
    return whole
  },
}
