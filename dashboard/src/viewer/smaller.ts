/** A smaller size of a picture to show in place of the original: on slow lines, or if it is enough by far. */
import type { PictureSize } from '../../../src/contract/files/picture-sizes.ts'
import type { FileAnswer } from '../files/types.ts'
import { usePictureSizes, type WholeSize, wholeSizes } from '../state/picture-sizes.ts'
import { isSlowLine } from '../state/slow-line.ts'
import { useContentSources } from '../ui/files/content.ts'

/** Others may move, or have no pixels. */
const STILL = new Set(['image/jpeg', 'image/png'])
/** How many times the pixels of the smaller size the original must have on a fast line. */
const MUCH_LARGER = 4

export interface Viewing {
  /** Of the window, in CSS pixels. */
  width: number
  height: number
  pixelRatio: number
  isSlow: boolean
}

/** Null: the original. */
export function smallerSize(
  file: Pick<FileAnswer, 'mime' | 'breite' | 'hoehe'>,
  sizes: readonly PictureSize[],
  { width, height, pixelRatio, isSlow }: Viewing,
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

/** Answers the address of the smaller size; undefined: the original is to be shown. */
export function useSmaller(): (file: FileAnswer) => string | undefined {
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
