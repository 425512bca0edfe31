import {
  ADTS,
  FilePathSource,
  FLAC,
  MATROSKA,
  Input as MediaInput,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { DecoderLimits } from '../options.ts'
import type { Answer, Input } from '../protocol.ts'
import { writePoster } from './poster.ts'

/** Not ALL_FORMATS: that includes HLS playlists, which name further files to read. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, OGG, MP3, WAVE, FLAC, ADTS, MPEG_TS]

type Facts = Answer<'media'>

export async function measureAndPoster(
  { source, preview }: Input<'media'>,
  limits: DecoderLimits,
): Promise<Facts> {
  let refusal: unknown
  // AVI and its like are unknown here and still good for a poster, so failing is not the end yet.
  const facts = await measure(source).catch(error => {
    refusal = error
  })
  const onlySound = facts && facts.width === undefined
  const posted = preview && !onlySound && (await writePoster(source, preview, facts?.duration, limits))
  if (!facts && !posted) throw refusal
  return facts ?? {}
}

async function measure(source: string): Promise<Facts> {
  const file = new FilePathSource(source, { handleUnhandledError: () => {} })
  const input = new MediaInput({ source: file, formats: FORMATS })
  try {
    const facts: Facts = {}
    // Players and MediaRecorder often leave the length out of the header; this one looks at the packets.
    const seconds = Math.round((await input.computeDuration()) * 1000) / 1000
    if (Number.isFinite(seconds) && seconds > 0) facts.duration = seconds
    const track = await input.getPrimaryVideoTrack()
    if (!track) return facts
    const width = Math.round(await track.getDisplayWidth())
    const height = Math.round(await track.getDisplayHeight())
    return width > 0 && height > 0 ? { ...facts, width, height } : facts
  } finally {
    input.dispose()
  }
}
