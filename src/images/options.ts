/** The options of decoding, and their defaults. */

import { fileURLToPath } from 'node:url'
import { startedFile } from '../base/program-files.ts'
import { MEGABYTE } from '../contract/values/units.ts'

/** Every option has a default. Tests set shorter times so that they need not wait. */
export interface ImagesOptions {
  /**
   * The maximum number of decoder processes. With three, neither one client nor background work ever occupies
   * all.
   */
  children?: number
  /** After this time a job counts as a long one, which holds up other background jobs less. */
  longMs?: number
  /**
   * The time from giving a job to a decoder until the decoder is killed. Waiting in the queue does not count;
   * on Linux neither does waiting for a core, within bounds.
   */
  deadlineMs?: number
  /** The shorter deadline of ffmpeg: a slow poster frame then loses the preview, but not the measurements. */
  posterDeadlineMs?: number
  /** A decoder without work ends after this time and frees its memory. */
  idleMs?: number
  /** A decoder is replaced after this many jobs, so that no leak in a codec adds up. */
  jobsPerChild?: number
  /** The resident memory at which a decoder ends itself; the same bound applies to ffmpeg. */
  memoryBytes?: number
  /** Pictures with more pixels are measured, never decoded. */
  pixels?: number
  /** The file of the decoder program. */
  entry?: string
  /** The search path for ffmpeg. */
  path?: string
  /** Called for each decoder process that starts or ends. */
  onChild?: (event: 'started' | 'ended', pid: number) => void
}

export type Settings = Required<ImagesOptions>

/** The settings that the decoder process needs. */
export type DecoderLimits = Pick<Settings, 'pixels' | 'memoryBytes' | 'posterDeadlineMs'>

/** Of a process that is alone. */
const DECODERS = 3

/**
 * They are the largest users of memory, so several workers do not have three each. Nor one: there the
 * pictures of one client could hold up those of all others.
 */
export const decodersEach = (workers: number) => (workers > 1 ? 2 : DECODERS)

export function settingsOf(options: ImagesOptions): Settings {
  return {
    children: DECODERS,
    longMs: 5_000,
    deadlineMs: 30_000,
    posterDeadlineMs: 15_000,
    idleMs: 30_000,
    jobsPerChild: 200,
    memoryBytes: 768 * MEGABYTE,
    pixels: 150_000_000,
    entry: fileURLToPath(startedFile('decoder')),
    path: process.env.PATH ?? '',
    onChild: () => {},
    ...options,
  }
}
