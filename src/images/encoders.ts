/**
 * The names of the encoders that make derived files. A file's row records which encoder has tried, so that a part that
 * cannot be made is tried only once. After a change in `decoder/` that lets more parts be made, give the encoder a new
 * name here.
 */
import { kindOf } from '../contract/kinds.ts'

export type DerivedPart = 'preview' | 'variant'

const ENCODERS: Readonly<Record<DerivedPart, string>> = { preview: '1', variant: '1' }

/**
 * `path`: where ffmpeg is searched. The name contains ffmpeg, so that videos get their previews once it is installed.
 */
export function encoderName(part: DerivedPart, mime: string, path: string): string {
  const withFfmpeg =
    part === 'preview' && kindOf(mime) === 'video' && Bun.which('ffmpeg', { PATH: path }) !== null
  return withFfmpeg ? `${ENCODERS[part]}+ffmpeg` : ENCODERS[part]
}
