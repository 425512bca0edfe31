/**
 * Chooses a larger size of a picture for a card whose preview would look blurred, as on dense screens and for
 * panoramas.
 */
import { PREVIEW_EDGE } from '../../../../src/contract/files/picture-geometry.ts'
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import { usePictureSizes, type WholeSize, wholeSizes } from '../../state/picture-sizes.ts'
import { isSlowLine } from '../../state/slow-line.ts'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'

/** A picture that is enlarged up to this factor still looks sharp. */
const ENLARGED_MOST = 1.25

/** The space for a picture on a card, in CSS pixels. */
export interface CardSpace {
  width: number
  height: number
}

/** The size to show; null if the preview is enough or no larger size is offered. */
export function sharperSize(
  file: Pick<FileAnswer, 'art' | 'vorschau' | 'breite' | 'hoehe'>,
  sizes: readonly PictureSize[],
  room: CardSpace,
  pixelRatio: number,
): WholeSize | null {
  const { art, vorschau, breite, hoehe } = file
  if (art !== 'bilder' || vorschau === null || !breite || !hoehe) return null
  const shown = Math.min(room.width / breite, room.height / hoehe) * breite * pixelRatio
  const preview = Math.min(1, PREVIEW_EDGE / Math.max(breite, hoehe)) * breite
  if (shown <= preview * ENLARGED_MOST) return null
  const larger = wholeSizes(file, sizes).filter(({ width }) => width > preview * ENLARGED_MOST)
  return larger.find(({ width }) => width * ENLARGED_MOST >= shown) ?? larger.at(-1) ?? null
}

/** Returns a function that gives the address of the larger picture; undefined if the preview is enough. */
export function useSharperAddress(): (file: FileAnswer, room: CardSpace) => string | undefined {
  const sizes = usePictureSizes()
  const sources = useContentSources()
  return (file, room) => {
    const size = isSlowLine() ? null : sharperSize(file, sizes, room, devicePixelRatio)
    return size ? sources.size(size.name, file.path) : undefined
  }
}
