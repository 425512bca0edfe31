/** The options of decoding, and their defaults. */

import { fileURLToPath } from 'node:url'
import { startedFile } from '../base/program-files.ts'
import { MEGABYTE } from '../contract/values/units.ts'

/** Every option has a default; tests set shorter times. */
export interface ImagesOptions {
  /** Maximum number of decoder processes. With three, neither one client nor background work occupies all. */
  children?: number
  /** Milliseconds after which a job counts as long; long jobs hold up other background jobs less. */
  longMs?: number
  /**
   * Milliseconds until a decoder is killed. Waiting in the queue does not count; on Linux, neither does
   * waiting for a core, within bounds.
   */
  deadlineMs?: number
  /** Milliseconds for ffmpeg, fewer: a slow poster frame loses the preview but not the measurements. */
  posterDeadlineMs?: number
  /** Milliseconds after which an idle decoder exits and frees its memory. */
  idleMs?: number
  /** Number of jobs after which a decoder is replaced, so that leaks in a codec do not add up. */
  jobsPerChild?: number
  /** Bytes of resident memory at which a decoder ends itself; also applies to ffmpeg. */
  memoryBytes?: number
  /** Maximum number of pixels; larger pictures are measured but not decoded. */
  pixels?: number
  entry?: string
  /** The search path for ffmpeg. */
  path?: string
  onChild?: (event: 'started' | 'ended', pid: number) => void
}

export type Settings = Required<ImagesOptions>

/** The settings that the decoder process needs. */
export type DecoderLimits = Pick<Settings, 'pixels' | 'memoryBytes' | 'posterDeadlineMs'>

/** Number of decoders when there is a single worker. */
const DECODERS = 3

/** Decoders use the most memory, so not three each; with one, a client could hold up everybody else. */
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
