/** Which picture a request wants: of which file, in which size and format. */
import type { PictureSize } from '../../contract/files/picture-sizes.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import type { ServedFile } from '../../database/database.ts'
import { acceptsAvif, acceptsWebp } from '../../http/answers/accept.ts'
import type { SizeFormat } from '../../images/protocol.ts'

/**
 * Version of the pictures. It has to be changed after a change in `images/decoder/` that makes other
 * pictures, or more of them.
 */
const ENCODER = '1'

export interface WantedPicture {
  file: ServedFile
  path: string
  size: PictureSize
  format: SizeFormat
}

export const formatFor = ({ format }: PictureSize, accept: string | null): SizeFormat => {
  if (format !== 'auto') return format
  if (acceptsAvif(accept)) return 'avif'
  return acceptsWebp(accept) ? 'webp' : 'plain'
}

/**
 * The key of a size in a format. It contains the measures of the size and not its name, so that a size that
 * is changed under its name gets new pictures.
 */
export function specOf({
  size: { art, breite, hoehe },
  format,
}: Pick<WantedPicture, 'size' | 'format'>): string {
  return `${art} ${breite ?? ''}x${hoehe ?? ''} ${format} ${ENCODER}`
}

/**
 * The key of what holds for every size of a file. `encoder`: what would make the preview of the file now, so
 * that films are tried again once ffmpeg is installed.
 */
export const verdictSpec = (encoder: string) => `* ${ENCODER} ${encoder}`

/**
 * Whether pictures can be made of the file. A film without a preview has no frame either: ffmpeg is missing,
 * or cannot read the film.
 */
export function hasSizes({ mime, derived, preview_size }: ServedFile): boolean {
  const kind = kindOf(mime)
  return kind === 'bilder' || (kind === 'video' && (derived === 'pending' || preview_size !== null))
}
