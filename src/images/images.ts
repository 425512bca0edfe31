/**
 * Entry point for decoding media: measuring, previews, variants, scaling down, and pictures in the configured
 * sizes.
 */
import { stat } from 'node:fs/promises'
import { kindOf } from '../contract/paths/kinds.ts'
import { DERIVATIONS, type DerivedPart } from '../storage/derived-parts.ts'
import { type StartDecoder, startDecoderProcess } from './child.ts'
import {
  type DerivedSet,
  type DeriveJob,
  type DownscaledPicture,
  type DownscaleJob,
  deriveFiles,
  makeSizedPicture,
  type PictureSizeJob,
  type RunJob,
  type SizedPicture,
  scaleDown,
} from './derived-files.ts'
import { ImagesError } from './error.ts'
import { type ImagesOptions, withDefaultSettings } from './options.ts'
import { createDecoderPool, type Requester } from './pool.ts'
import type { DecoderJob, JobAnswer } from './protocol.ts'
import { withScratch } from './scratch.ts'

export type {
  DerivedFile,
  DerivedSet,
  DeriveJob,
  DownscaledPicture,
  PictureSizeJob,
  SizedPicture,
} from './derived-files.ts'
export { type DecodingFailure, ImagesError } from './error.ts'
export type { ImagesOptions } from './options.ts'
export type { Requester } from './pool.ts'

/**
 * Decodes media in separate processes, so that a file that makes its decoder crash, hang or use too much
 * memory affects only the jobs for this file. The number of concurrent jobs is limited; `pool.ts` chooses the
 * next job.
 *
 * A decoding error is an ImagesError. A file system error (`ENOENT`, `ENOSPC`) is an Error with that `code`,
 * never `refused`, because the picture may be valid. After a rejection the job has left no file in its folder
 * `scratch`, which must exist.
 */
export interface Images {
  /**
   * Measures a media file and writes its derived files to `scratch`; the caller owns them. Resolves with `{}`
   * for types other than image, video and audio.
   */
  derive(job: DeriveJob): Promise<DerivedSet>
  /**
   * Scales an image, every frame and page, to a longer edge of at most `maxEdge`, into a file in `scratch` of
   * the same format, with the orientation applied and an RGB colour profile kept; other metadata is removed.
   * Null if there is nothing to scale: the image is small enough or vector graphics, or the file is no image.
   * Rejects with `refused` if the image cannot be scaled as a whole, for example because it is unreadable or
   * damaged, has too many pixels, or is an animation of which only a part can be read (PNG, AVIF).
   */
  downscale(job: DownscaleJob): Promise<DownscaledPicture | null>
  /**
   * Makes a picture in one size and format, in `scratch`. The source is a picture, or a video, of which the
   * same frame is used as for its preview. The result is upright, never enlarged, in sRGB or with its own RGB
   * profile, and without other metadata. Of an animation, the first frame is used. Null if the file is
   * neither a picture nor a video, has too many pixels, is in a format that cannot be decoded (HEIC), or
   * yields no frame. Rejects with `refused` if the picture is damaged.
   */
  size(job: PictureSizeJob): Promise<SizedPicture | null>
  /**
   * Prefers the jobs that were requested with this `requester` object; called when a client begins to wait
   * for them.
   */
  prioritize(requester: Requester): void
  /**
   * Name of the encoder that makes this part at present. If a part could not be made by an encoder with a
   * different name, it is tried again.
   */
  encoder(part: DerivedPart, mime: string): string
  /** Kills the decoders and resolves when they have exited; pending and later jobs reject with `closed`. */
  close(): Promise<void>
}

export function createImages(
  options: ImagesOptions = {},
  startDecoder: StartDecoder = startDecoderProcess,
): Images {
  const settings = withDefaultSettings(options)
  const pool = createDecoderPool(settings, startDecoder)
  const runningWork = new Set<Promise<unknown>>()

  const runJobFor =
    (requester: Requester): RunJob =>
    async (kind, input) => {
      const reply = await pool.run({ kind, ...input } as DecoderJob, requester)
      if ('system' in reply) throw Object.assign(new Error(reply.system.message), { code: reply.system.code })
      if ('refused' in reply) {
        await stat(input.source)
        throw new ImagesError('refused', reply.refused)
      }
      return reply.answer as JobAnswer<typeof kind> // `parseReply` has checked it
    }

  /**
   * Registers work for which `close` waits, so that no temporary file is removed after `close` has resolved.
   */
  function track<T>(work: Promise<T>): Promise<T> {
    runningWork.add(work)
    const unregister = () => runningWork.delete(work)
    work.then(unregister, unregister)
    return work
  }

  return {
    async derive(job) {
      const kind = kindOf(job.mime)
      if (kind === 'dokumente' || kind === 'sonstige') return {}
      return track(
        withScratch(job.scratch, scratch => deriveFiles(runJobFor(job.requester), job, kind, scratch)),
      )
    },
    async downscale(job) {
      if (kindOf(job.mime) !== 'bilder') return null
      return track(withScratch(job.scratch, scratch => scaleDown(runJobFor(job.requester), job, scratch)))
    },
    async size(job) {
      const kind = kindOf(job.mime)
      if (kind !== 'bilder' && kind !== 'video') return null
      return track(
        withScratch(job.scratch, scratch =>
          makeSizedPicture(runJobFor(job.requester), job, kind === 'video', scratch),
        ),
      )
    },
    prioritize: pool.prioritize,
    encoder: (part, mime) => encoderName(part, mime, settings.searchPath),
    async close() {
      await pool.close()
      await Promise.allSettled([...runningWork])
    },
  }
}

/**
 * The name of the encoder. For videos it includes whether ffmpeg is installed, so that failed videos are
 * tried again once it is. `path` is the `PATH` that is searched for ffmpeg.
 */
function encoderName(part: DerivedPart, mime: string, path: string): string {
  const { encoder, scaling } = DERIVATIONS[part]
  const usesFfmpeg = scaling && kindOf(mime) === 'video' && Bun.which('ffmpeg', { PATH: path }) !== null
  return usesFfmpeg ? `${encoder}+ffmpeg` : encoder
}
