/** Measures video and audio, and lets ffmpeg make the poster of a video. */
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
import type { JobAnswer, JobInput } from '../protocol.ts'
import { writePoster } from './poster.ts'

/**
 * Supported formats. ALL_FORMATS is not used, because it includes HLS, whose playlists name further files to
 * read.
 */
const SUPPORTED_FORMATS = [MP4, QTFF, MATROSKA, WEBM, OGG, MP3, WAVE, FLAC, ADTS, MPEG_TS]

type Measurements = JobAnswer<'media'>

export async function measureAndMakePoster(
  { source, scaled: scaledPictures }: JobInput<'media'>,
  limits: DecoderLimits,
): Promise<Measurements> {
  let measureError: unknown
  // A failure to measure is not final: ffmpeg may make a poster of a format that `mediabunny` does not know,
  // such as AVI.
  const measurements = await measureMedia(source).catch(error => {
    measureError = error
  })
  const isAudioOnly = measurements && measurements.width === undefined
  const hasPoster =
    scaledPictures.length > 0 &&
    !isAudioOnly &&
    (await writePoster(source, scaledPictures, measurements?.duration, limits))
  if (!measurements && !hasPoster) throw measureError
  return measurements ?? {}
}

export async function measureMedia(source: string): Promise<Measurements> {
  const file = new FilePathSource(source, { handleUnhandledError: () => {} })
  using input = new MediaInput({ source: file, formats: SUPPORTED_FORMATS })
  const measurements: Measurements = {}
  // MediaRecorder and other programs often write no duration into the header; this call reads the packets
  // instead.
  const seconds = Math.round((await input.computeDuration()) * 1000) / 1000
  if (Number.isFinite(seconds) && seconds > 0) measurements.duration = seconds
  const track = await input.getPrimaryVideoTrack()
  if (!track) return measurements
  const width = Math.round(await track.getDisplayWidth())
  const height = Math.round(await track.getDisplayHeight())
  return width > 0 && height > 0 ? { ...measurements, width, height } : measurements
}
