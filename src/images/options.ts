import { fileURLToPath } from 'node:url'
import { MEGABYTE } from '../contract/units.ts'

/** Everything has a default; tests set what they would otherwise wait for. */
export interface ImagesOptions {
  /** Most decoder processes at a time. With three, one client and the background never have all. */
  children?: number
  /** From handing a job to a decoder until it is killed. Waiting in the queue does not count. */
  deadlineMs?: number
  /** ffmpeg's own, shorter one: a slow poster frame costs the preview, not the measurements. */
  posterDeadlineMs?: number
  /** A decoder without work ends after this long and gives its memory back. */
  idleMs?: number
  /** A decoder is replaced after this many jobs, so that no leak in a codec adds up. */
  jobsPerChild?: number
  /** Resident memory at which a decoder ends itself; the same bound holds for ffmpeg. */
  memoryBytes?: number
  /** Pictures with more pixels are measured, never decoded. */
  pixels?: number
  /** The decoder's program. */
  entry?: string
  /** Where ffmpeg is looked for. */
  path?: string
  /** Told of each decoder process that starts and ends. */
  onChild?: (event: 'started' | 'ended', pid: number) => void
}

export type Settings = Required<ImagesOptions>

/** What the decoder itself has to know; travels as its one argument. */
export type DecoderLimits = Pick<Settings, 'pixels' | 'memoryBytes' | 'posterDeadlineMs'>

export function settingsOf(options: ImagesOptions): Settings {
  return {
    children: 3,
    deadlineMs: 30_000,
    posterDeadlineMs: 15_000,
    idleMs: 30_000,
    jobsPerChild: 200,
    memoryBytes: 768 * MEGABYTE,
    pixels: 150_000_000,
    entry: fileURLToPath(new URL('./decoder/main.ts', import.meta.url)),
    path: process.env.PATH ?? '',
    onChild: () => {},
    ...options,
  }
}
