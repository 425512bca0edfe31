import { stat } from 'node:fs/promises'
import { essence, kindOf } from '../contract/kinds.ts'
import {
  type Ask,
  type Derived,
  type DeriveJob,
  type Downscaled,
  type DownscaleJob,
  deriveMedia,
  derivePicture,
  scaleDown,
} from './derive.ts'
import { type DerivedPart, encoderName } from './encoders.ts'
import { ImagesError } from './error.ts'
import { type ImagesOptions, settingsOf } from './options.ts'
import { createPool, type Turn } from './pool.ts'
import type { Answer, Job } from './protocol.ts'
import { withScratch } from './scratch.ts'

export type { Derived, DerivedFile, DeriveJob, Downscaled, DownscaleJob } from './derive.ts'
export type { DerivedPart } from './encoders.ts'
export { ImagesError, type ImagesFailure } from './error.ts'
export type { ImagesOptions } from './options.ts'
export type { Turn } from './pool.ts'

/**
 * Everything that decodes media, behind a wall of processes: a picture that kills, stalls or bloats the decoder
 * costs its own preview. A bounded number of jobs runs at a time; whose turn it is stands in `pool.ts`.
 *
 * What goes wrong with decoding is an ImagesError. What the file system says (`ENOENT`: the source was moved
 * meanwhile, `ENOSPC`) is an Error with that `code`, never `refused`: the picture may be in good health.
 * After a rejection there is no file in `scratch`. Folders are not made: `scratch` exists.
 */
export interface Images {
  /**
   * Measures a media file and makes its derived files into fresh files in `scratch`. The caller owns (moves or
   * deletes) them. `size` is the size of the source: only a smaller variant is worth keeping.
   * A type that is neither image, video nor audio gives `{}` at once.
   */
  derive(job: DeriveJob): Promise<Derived>
  /**
   * Scales an image down so that its longer edge is at most `maxEdge`, every frame and page of it. Result file in
   * `scratch`, same format as the source, orientation applied, colour profile kept, other metadata (place, camera)
   * dropped. Never enlarges.
   * Null when there is nothing to scale: small enough already, vector graphics, a type that is no image.
   * Rejects with `refused` when the image cannot be scaled as a whole: unreadable, damaged, too many pixels, or an
   * animation of which only a part can be read (PNG, AVIF).
   */
  downscale(job: DownscaleJob): Promise<Downscaled | null>
  /** Somebody has begun to wait for what was asked for with this very turn. */
  hurry(turn: Turn): void
  /** Names what would make this part of a file now: what another one could not make, it perhaps can. */
  encoder(part: DerivedPart, mime: string): string
  /** Kills the decoders and resolves when none is left; pending and later jobs reject with `closed`. */
  close(): Promise<void>
}

/** Has no pixels, and reading it may take long. */
const SVG = 'image/svg+xml'

export function createImages(options: ImagesOptions = {}): Images {
  const settings = settingsOf(options)
  const pool = createPool(settings)
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
      return reply.answer as Answer<typeof kind> // checked where it came in
    }

  /** close() waits for these, so that afterwards no clean-up is under way either. */
  function tracked<T>(work: Promise<T>): Promise<T> {
    open.add(work)
    const done = () => open.delete(work)
    work.then(done, done)
    return work
  }

  return {
    async derive(job) {
      const kind = kindOf(job.mime)
      const ask = askFor(job.turn)
      if (kind === 'bilder') return tracked(withScratch(job.scratch, to => derivePicture(ask, job, to)))
      if (kind === 'video' || kind === 'audio') {
        return tracked(withScratch(job.scratch, to => deriveMedia(ask, job, to)))
      }
      return {}
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
