/**
 * Chooses a smaller size of a picture to show in place of the original: on slow connections, or if the
 * original is much larger than needed.
 */
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import { isConnectionSlow } from '../../state/connection-speed.ts'
import { type UncroppedSize, uncroppedSizes, usePictureSizes } from '../../state/picture-sizes.ts'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'

/** The media types for which a smaller size may be shown: others may be animated, or have no pixels (SVG). */
const STILL_PICTURE_TYPES = new Set(['image/jpeg', 'image/png'])
/**
 * Minimum ratio of the number of pixels of the original to that of the smaller size. Below this ratio, the
 * original is shown on a fast connection.
 */
const MIN_PIXEL_FACTOR = 4

export interface ViewingConditions {
  /** Size of the window in CSS pixels. */
  width: number
  height: number
  pixelRatio: number
  isSlow: boolean
}

/** The smaller size to show in place of the original; null to show the original. */
export function smallerSize(
  file: Pick<FileAnswer, 'mime' | 'breite' | 'hoehe'>,
  sizes: readonly PictureSize[],
  { width, height, pixelRatio, isSlow }: ViewingConditions,
): UncroppedSize | null {
  const { breite, hoehe } = file
  if (!STILL_PICTURE_TYPES.has(file.mime) || breite === undefined || hoehe === undefined) return null
  const offeredSizes = uncroppedSizes(file, sizes).filter(size => size.width < breite)
  const density = isSlow ? 1 : pixelRatio
  const neededWidth = Math.min((width * density) / breite, (height * density) / hoehe, 1) * breite
  const sufficientSize = offeredSizes.find(size => size.width >= neededWidth)
  if (isSlow) return sufficientSize ?? offeredSizes.at(-1) ?? null
  return sufficientSize && breite * hoehe >= MIN_PIXEL_FACTOR * sufficientSize.width * sufficientSize.height
    ? sufficientSize
    : null
}

/**
 * Returns a function that gives the address of a picture in a smaller size; undefined if the original is to
 * be shown, or while the host of the files is not known.
 */
export function useSmallerAddress(): (file: FileAnswer) => string | undefined {
  const sizes = usePictureSizes()
  const sources = useContentSources()
  return file => {
    const conditions = {
      width: innerWidth,
      height: innerHeight,
      pixelRatio: devicePixelRatio,
      isSlow: isConnectionSlow(),
    }
    const size = smallerSize(file, sizes, conditions)
    return size ? sources.addressInSize(size.name, file.path) : undefined
  }
}
