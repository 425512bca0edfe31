/** The entry to all decoding of media: measures, previews, variants and scaling. */
import { stat } from 'node:fs/promises'
import { essence, kindOf } from '../contract/paths/kinds.ts'
import { type StartDecoder, startChild } from './child.ts'
import {
  type Ask,
  type Derived,
  type DeriveJob,
  type Downscaled,
  type DownscaleJob,
  derive,
  scaleDown,
} from './derived-files.ts'
import { ImagesError } from './error.ts'
import { type ImagesOptions, settingsOf } from './options.ts'
import { createPool, type Turn } from './pool.ts'
import type { Answer, Job } from './protocol.ts'
import { withScratch } from './scratch.ts'

export type { Derived, DeriveJob, Downscaled } from './derived-files.ts'
export type DerivedPart = 'preview' | 'variant'
export { ImagesError, type ImagesFailure } from './error.ts'
export type { ImagesOptions } from './options.ts'
export type { Turn } from './pool.ts'

/**
 * Decodes media in separate processes: a picture that crashes, stalls or bloats its decoder loses only its
 * own preview. The number of jobs at a time is bounded; `pool.ts` decides which job is next.
 *
 * A decoding error is an ImagesError. An error of the file system (`ENOENT` when the source was moved
 * meanwhile, `ENOSPC`) is an Error with that `code`, never `refused`, because the picture itself may be
 * valid. After a rejection no file is left in `scratch`. Folders are not created: `scratch` must exist.
 */
export interface Images {
  /**
   * Measures a media file and writes its derived files as new files to `scratch`. The caller owns these files
   * and has to move or delete them. `size` is the size of the source: only a smaller variant is kept. A type
   * that is neither image, video nor audio gives `{}` at once.
   */
  derive(job: DeriveJob): Promise<Derived>
  /**
   * Scales an image down, every frame and page, so that its longer edge is at most `maxEdge`. The result is a
   * file in `scratch` in the format of the source, with the orientation applied and the colour profile kept;
   * other metadata (place, camera) is removed. Never enlarges. Null when nothing has to be scaled: the image
   * is small enough, is vector graphics, or the type is not an image. Rejects with `refused` when the image
   * cannot be scaled as a whole: unreadable, damaged, too many pixels, or an animation of which only a part
   * can be read (PNG, AVIF).
   */
  downscale(job: DownscaleJob): Promise<Downscaled | null>
  /** Tells that a client now waits for the jobs that were requested with this same `turn` object. */
  hurry(turn: Turn): void
  /**
   * The name of the encoder that would make this part now. It may be able to make what an earlier encoder
   * could not.
   */
  encoder(part: DerivedPart, mime: string): string
  /** Kills the decoders and resolves when all have ended; pending and later jobs reject with `closed`. */
  close(): Promise<void>
}

/** Never scaled: vector graphics have no pixels, and reading them may take long. */
const SVG = 'image/svg+xml'

export function createImages(options: ImagesOptions = {}, startDecoder: StartDecoder = startChild): Images {
  const settings = settingsOf(options)
  const pool = createPool(settings, startDecoder)
  const open = new Set<Promise<unknown>>()

  const askFor =
    (turn: Turn): Ask =>
    async (kind, input) => {
      const reply = await pool.run({ kind, ...input } as Job, turn)
      if ('system' in reply) throw Object.assign(new Error(reply.system.message), { code: reply.system.code })
      if ('refused' in reply) {
        await stat(input.source)
        throw new ImagesError('refused', reply.refused)
      }
      return reply.answer as Answer<typeof kind> // `parseReply` has checked it
    }

  /** close() waits for tracked work, so that no clean-up is still running afterwards. */
  function tracked<T>(work: Promise<T>): Promise<T> {
    open.add(work)
    const done = () => open.delete(work)
    work.then(done, done)
    return work
  }

  return {
    async derive(job) {
      const kind = kindOf(job.mime)
      if (kind === 'dokumente' || kind === 'sonstige') return {}
      return tracked(withScratch(job.scratch, to => derive(askFor(job.turn), job, kind, to)))
    },
    async downscale(job) {
      if (kindOf(job.mime) !== 'bilder' || essence(job.mime) === SVG) return null
      return tracked(withScratch(job.scratch, to => scaleDown(askFor(job.turn), job, to)))
    },
    hurry: pool.hurry,
    encoder: (part, mime) => encoderName(part, mime, settings.path),
    async close() {
      await pool.close()
      await Promise.allSettled([...open])
    },
  }
}

/**
 * The names of the encoders that make derived files. A file's row records which encoder has tried, so that a
 * part that cannot be made is tried only once. After a change in `decoder/` that lets more parts be made,
 * give the encoder a new name here.
 */
const ENCODERS: Readonly<Record<DerivedPart, string>> = { preview: '1', variant: '1' }

/**
 * `path`: where ffmpeg is searched. The name contains ffmpeg, so that videos get their previews once it is
 * installed.
 */
function encoderName(part: DerivedPart, mime: string, path: string): string {
  const withFfmpeg =
    part === 'preview' && kindOf(mime) === 'video' && Bun.which('ffmpeg', { PATH: path }) !== null
  return withFfmpeg ? `${ENCODERS[part]}+ffmpeg` : ENCODERS[part]
}
