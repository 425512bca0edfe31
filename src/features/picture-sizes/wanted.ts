/** Which picture a request wants: of which file, in which size and format. */
import type { PictureSize } from '../../contract/files/picture-sizes.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import type { ServedFile } from '../../database/database.ts'
import { acceptsAvif, acceptsWebp } from '../../http/answers/accept.ts'
import type { SizeFormat } from '../../images/protocol.ts'

/** Changed after a change in `images/decoder/` that makes other pictures, or more of them. */
const ENCODER = '1'

export interface Wanted {
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

/** By its measures and not by its name: a size that is changed under its name makes other pictures. */
export function specOf({ size: { art, breite, hoehe }, format }: Pick<Wanted, 'size' | 'format'>): string {
  return `${art} ${breite ?? ''}x${hoehe ?? ''} ${format} ${ENCODER}`
}

/** `encoder`: what would make the file's preview now. So films are tried again once ffmpeg is installed. */
export const verdictSpec = (encoder: string) => `* ${ENCODER} ${encoder}`

/** A film without a preview has no frame either: ffmpeg is missing, or cannot read it. */
export function hasSizes({ mime, derived, preview_size }: ServedFile): boolean {
  const kind = kindOf(mime)
  return kind === 'bilder' || (kind === 'video' && (derived === 'pending' || preview_size !== null))
}
