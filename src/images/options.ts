/** The options of decoding, and their defaults. */

import { fileURLToPath } from 'node:url'
import { entryPoint } from '../base/program-files.ts'
import { MEGABYTE } from '../contract/values/units.ts'

/** All options are optional; tests set shorter times. */
export type ImagesOptions = Partial<DecodingSettings>
export type DecodingSettings = ReturnType<typeof defaultSettings>

/** The settings that the decoder process needs. */
export type DecoderLimits = Pick<DecodingSettings, 'pixels' | 'memoryBytes' | 'posterDeadlineMs'>

/** Number of decoder processes if the service has a single worker process. */
const DEFAULT_DECODER_COUNT = 3

/**
 * Number of decoder processes of each worker process. Decoders use most of the memory, so several workers do
 * not get three each. With a single decoder, one client could delay all others.
 */
export const decodersPerWorker = (workers: number) => (workers > 1 ? 2 : DEFAULT_DECODER_COUNT)

const defaultSettings = () => ({
  /**
   * Maximum number of decoder processes of one worker process. Three is the smallest number with which
   * neither one client nor background jobs can ever occupy all of them.
   */
  maxDecoders: DEFAULT_DECODER_COUNT,
  /**
   * Milliseconds after which a job counts as long: with two decoders, other background jobs then no longer
   * wait for it.
   */
  longJobMs: 5_000,
  /**
   * Milliseconds after which the decoder of a job is killed. Time in the queue does not count. On Linux, time
   * spent waiting for a processor core does not count either, up to a limit.
   */
  deadlineMs: 30_000,
  /**
   * Milliseconds within which ffmpeg must extract a frame. This is less than `deadlineMs`, so that a slow
   * frame costs the preview but not the measurements.
   */
  posterDeadlineMs: 15_000,
  /** Milliseconds after which an idle decoder is stopped, which frees its memory. */
  idleMs: 30_000,
  /** Number of jobs after which a decoder is replaced, so that memory leaks of a codec do not add up. */
  jobsPerDecoder: 200,
  /** Bytes of resident memory at which a decoder ends itself. On Linux, the limit also applies to ffmpeg. */
  memoryBytes: 768 * MEGABYTE,
  /** Maximum number of pixels of a picture. Larger ones are measured but not decoded. */
  pixels: 150_000_000,
  entryFile: fileURLToPath(entryPoint('decoder')),
  /** The search path for ffmpeg. */
  searchPath: process.env.PATH ?? '',
  onChildEvent: (_event: 'started' | 'ended', _pid: number) => {},
})

export const withDefaultSettings = (options: ImagesOptions): DecodingSettings => ({
  ...defaultSettings(),
  ...options,
})
