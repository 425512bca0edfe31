/** The picture that a request wants (file, size and format), and the keys under which it is recorded. */
import type { PictureSize } from '../../contract/files/picture-sizes.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import type { ServedFile } from '../../database/database.ts'
import { acceptsAvif, acceptsWebp } from '../../http/answers/accept.ts'
import type { SizeFormat } from '../../images/protocol.ts'

/**
 * Version of the encoding. It must be increased after a change in `images/decoder/` that makes different
 * pictures from the same file, or that can decode more files.
 */
const ENCODER_VERSION = '1'

export interface WantedPicture {
  file: ServedFile
  path: string
  size: PictureSize
  format: SizeFormat
}

export const chooseFormat = ({ format }: PictureSize, accept: string | null): SizeFormat => {
  if (format !== 'auto') return format
  if (acceptsAvif(accept)) return 'avif'
  return acceptsWebp(accept) ? 'webp' : 'plain'
}

/**
 * The key of a size and format. It contains the dimensions of the size instead of its name, so that new
 * pictures are made if the dimensions of a named size are changed.
 */
export function sizeKey({
  size: { art, breite, hoehe },
  format,
}: Pick<WantedPicture, 'size' | 'format'>): string {
  return `${art} ${breite ?? ''}x${hoehe ?? ''} ${format} ${ENCODER_VERSION}`
}

/**
 * The key of a problem that concerns every size of a file. `encoder` names the encoder that would make the
 * preview of the file now. It is part of the key, so that films are tried again once ffmpeg is installed.
 */
export const fileProblemKey = (encoder: string) => `* ${ENCODER_VERSION} ${encoder}`

/**
 * Whether pictures may be made from the file: from every image, and from a film that has a preview or whose
 * preview is still pending. If no preview could be made of a film, it cannot be read, or ffmpeg is missing.
 */
export function mayHaveSizes({ mime, derived, preview_size }: ServedFile): boolean {
  const kind = kindOf(mime)
  return kind === 'bilder' || (kind === 'video' && (derived === 'pending' || preview_size !== null))
}
