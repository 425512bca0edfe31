/**
 * Chooses a smaller size of a picture to show in place of the original: on slow connections, or if the
 * original is much larger than needed.
 */
import type { PictureSize } from '../../../src/contract/files/picture-sizes.ts'
import type { FileAnswer } from '../files/types.ts'
import { usePictureSizes, type WholeSize, wholeSizes } from '../state/picture-sizes.ts'
import { isSlowLine } from '../state/slow-line.ts'
import { useContentSources } from '../ui/files/content.ts'

/** The types that have smaller sizes here: pictures of other types may be animated, or have no pixels. */
const STILL = new Set(['image/jpeg', 'image/png'])
/**
 * On a fast connection, a smaller size is shown only if the original has at least this many times its pixels.
 */
const MUCH_LARGER = 4

export interface ViewingConditions {
  /** Size of the window in CSS pixels. */
  width: number
  height: number
  pixelRatio: number
  isSlow: boolean
}

/** The smaller size to show; null to show the original. */
export function smallerSize(
  file: Pick<FileAnswer, 'mime' | 'breite' | 'hoehe'>,
  sizes: readonly PictureSize[],
  { width, height, pixelRatio, isSlow }: ViewingConditions,
): WholeSize | null {
  const { breite, hoehe } = file
  if (!STILL.has(file.mime) || breite === undefined || hoehe === undefined) return null
  const offered = wholeSizes(file, sizes).filter(size => size.width < breite)
  const density = isSlow ? 1 : pixelRatio
  const needed = Math.min((width * density) / breite, (height * density) / hoehe, 1) * breite
  const enough = offered.find(size => size.width >= needed)
  if (isSlow) return enough ?? offered.at(-1) ?? null
  return enough && breite * hoehe >= MUCH_LARGER * enough.width * enough.height ? enough : null
}

/**
 * Returns a function that gives the address of the smaller size; undefined if the original is to be shown.
 */
export function useSmallerAddress(): (file: FileAnswer) => string | undefined {
  const sizes = usePictureSizes()
  const sources = useContentSources()
  return file => {
    const viewing = {
      ...{ width: innerWidth, height: innerHeight },
      ...{ pixelRatio: devicePixelRatio, isSlow: isSlowLine() },
    }
    const size = smallerSize(file, sizes, viewing)
    return size ? sources.size(size.name, file.path) : undefined
  }
}
