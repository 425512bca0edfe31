/** The configured picture sizes; empty until they are fetched, or if none is configured. */
import { scaledDimensions } from '../../../src/contract/files/picture-geometry.ts'
import type { PictureSize } from '../../../src/contract/files/picture-sizes.ts'
import { createObservable, useObservable } from './observable.ts'

export const pictureSizes = createObservable<readonly PictureSize[]>([])
export const usePictureSizes = () => useObservable(pictureSizes)

export interface PictureDimensions {
  breite?: number | undefined
  hoehe?: number | undefined
}

export interface UncroppedSize {
  name: string
  width: number
  height: number
}

/**
 * The sizes that show a picture without cropping it, sorted by width, each width once; empty if the
 * dimensions of the picture are unknown.
 */
export function uncroppedSizes(
  { breite, hoehe }: PictureDimensions,
  sizes: readonly PictureSize[],
): UncroppedSize[] {
  if (breite === undefined || hoehe === undefined) return []
  const sizesByWidth = new Map<number, UncroppedSize>()
  for (const size of sizes) {
    if (size.art !== 'einpassen') continue
    const dimensions = scaledDimensions({ width: breite, height: hoehe }, size)
    if (!sizesByWidth.has(dimensions.width))
      sizesByWidth.set(dimensions.width, { name: size.name, ...dimensions })
  }
  return [...sizesByWidth.values()].toSorted((a, b) => a.width - b.width)
}
