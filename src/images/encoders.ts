/**
 * Names of what makes derived files. A row remembers which one has worked on it, so that what cannot be made is tried once.
 * Whoever changes settings or readers in `decoder/` so that more can be made now gives the encoder a new name here.
 */
import { kindOf } from '../contract/kinds.ts'

export type DerivedPart = 'preview' | 'variant'

const ENCODERS: Readonly<Record<DerivedPart, string>> = { preview: '1', variant: '1' }

/** `path`: where ffmpeg is looked for. Once it is installed, videos may have the previews they lack. */
export function encoderName(part: DerivedPart, mime: string, path: string): string {
  const withFfmpeg =
    part === 'preview' && kindOf(mime) === 'video' && Bun.which('ffmpeg', { PATH: path }) !== null
  return withFfmpeg ? `${ENCODERS[part]}+ffmpeg` : ENCODERS[part]
}
