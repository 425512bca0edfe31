/**
 * Chooses a larger size of a picture for a card on which its preview would look blurred, as on dense screens
 * and for panoramas.
 */
import { PREVIEW_EDGE } from '../../../../src/contract/files/picture-geometry.ts'
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import { isConnectionSlow } from '../../state/connection-speed.ts'
import { type UncroppedSize, uncroppedSizes, usePictureSizes } from '../../state/picture-sizes.ts'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'

/** A picture that is enlarged up to this factor still looks sharp. */
const MAX_ENLARGEMENT = 1.25

/** The space for a picture on a card, in CSS pixels. */
export interface CardSpace {
  width: number
  height: number
}

/**
 * The picture size to show. Null if the preview is sharp enough, if no larger size is offered, or if the file
 * is not a picture with a preview and known dimensions.
 */
export function sharperSize(
  file: Pick<FileAnswer, 'art' | 'vorschau' | 'breite' | 'hoehe'>,
  sizes: readonly PictureSize[],
  space: CardSpace,
  pixelRatio: number,
): UncroppedSize | null {
  const { art, vorschau, breite, hoehe } = file
  if (art !== 'bilder' || vorschau === null || !breite || !hoehe) return null
  const shownWidth = Math.min(space.width / breite, space.height / hoehe) * breite * pixelRatio
  const previewWidth = Math.min(1, PREVIEW_EDGE / Math.max(breite, hoehe)) * breite
  if (shownWidth <= previewWidth * MAX_ENLARGEMENT) return null
  const largerSizes = uncroppedSizes(file, sizes).filter(
    ({ width }) => width > previewWidth * MAX_ENLARGEMENT,
  )
  return largerSizes.find(({ width }) => width * MAX_ENLARGEMENT >= shownWidth) ?? largerSizes.at(-1) ?? null
}

/**
 * Returns a function that gives the address of the larger picture; undefined to show the preview. The preview
 * is always shown on a slow connection, and if the browser is set to save data.
 */
export function useSharperAddress(): (file: FileAnswer, space: CardSpace) => string | undefined {
  const sizes = usePictureSizes()
  const sources = useContentSources()
  return (file, space) => {
    const size = isConnectionSlow() ? null : sharperSize(file, sizes, space, devicePixelRatio)
    return size ? sources.addressInSize(size.name, file.path) : undefined
  }
}
