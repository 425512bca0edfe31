/**
 * Sound and moving pictures, made once with ffmpeg and kept beside this file:
 * `clip.*` have a picture track, everything else is sound alone. `recorded-sound.webm` is written as a browser's
 * MediaRecorder writes it, live and without a length; `sound-only.mp4` says nothing of sound but in its tracks.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type MediaName =
  | 'clip.mp4'
  | 'clip.webm'
  | 'recorded-sound.webm'
  | 'sound-only.mp4'
  | 'tone.m4a'
  | 'tone.mp3'
  | 'tone.ogg'

export function media(name: MediaName): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dir, 'media', name)))
}
