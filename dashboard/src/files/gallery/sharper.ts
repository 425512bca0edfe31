/** The size of a picture that a card shows where its preview would look blurred: dense screens, panoramas. */
import { PREVIEW_EDGE } from '../../../../src/contract/files/picture-geometry.ts'
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import { usePictureSizes, type WholeSize, wholeSizes } from '../../state/picture-sizes.ts'
import { isSlowLine } from '../../state/slow-line.ts'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'

/** Enlarged up to this factor, a picture still looks sharp. */
const ENLARGED_MOST = 1.25

export interface Room {
  /** In CSS pixels. */
  width: number
  height: number
}

/** Null: the preview is enough, or nothing larger is offered. */
export function sharperSize(
  file: Pick<FileAnswer, 'art' | 'vorschau' | 'breite' | 'hoehe'>,
  sizes: readonly PictureSize[],
  room: Room,
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

/** Answers the address of the sharper picture; undefined: the preview alone. */
export function useSharper(): (file: FileAnswer, room: Room) => string | undefined {
  const sizes = usePictureSizes()
  const sources = useContentSources()
  return (file, room) => {
    const size = isSlowLine() ? null : sharperSize(file, sizes, room, devicePixelRatio)
    return size ? sources.size(size.name, file.path) : undefined
  }
}
