/**
 * Sound and moving pictures, made once with ffmpeg and kept beside this file: `clip.*` have a picture track,
 * everything else is sound alone. `recorded-sound.webm` is written like a browser's MediaRecorder does, live
 * and without a length; only the tracks of `sound-only.mp4` reveal that it is sound; `tone-opus.ogg` contains
 * Opus, `tone.ogg` Vorbis.
 *
 * A clip: `-f lavfi -i testsrc=s=64x48:r=10:d=0.5 [-f lavfi -i sine=440:d=0.5]`, the others `-f lavfi -i
 * sine=440:d=0.4`, all with `-map_metadata -1 -fflags +bitexact`; recorded-sound.webm: `-c:a libopus -live 1
 * -f webm pipe:1`.
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
  | 'tone-opus.ogg'

export function media(name: MediaName): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dir, 'media', name)))
}
