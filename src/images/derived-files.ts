/** Lets decoders measure a media file and make its derived files, or a scaled picture. */
import type { Kind } from '../contract/paths/kinds.ts'
import { DERIVATIONS, type DerivedPart } from '../storage/derived-parts.ts'
import { ImagesError } from './error.ts'
import type { Requester } from './pool.ts'
import type { JobAnswer, JobInput, JobKind } from './protocol.ts'
import type { Scratch } from './scratch.ts'

interface FileJob {
  source: string
  mime: string
  /** The folder for new files. */
  scratch: string
  requester: Requester
}

export interface DeriveJob extends FileJob {
  parts: readonly DerivedPart[]
}

/**
 * The measurements of a file, and the requested derived files that could be made. For example, there is no
 * variant if it would not be smaller than the source, and no preview of audio, of a picture that is too large
 * to decode, or of a video if ffmpeg is missing.
 */
export interface DerivedSet extends Partial<Record<DerivedPart, DerivedFile>> {
  /** The dimensions as displayed, with orientation and rotation applied. Absent for audio or if unknown. */
  width?: number
  height?: number
  /** Length in seconds. */
  duration?: number
  /** The error for the log if the decoder was lost while making the variant. All other results are valid. */
  variantError?: ImagesError
}

export interface DerivedFile {
  file: string
  size: number
}

export interface DownscaleJob extends FileJob {
  maxEdge: number
}

export interface DownscaledPicture extends DerivedFile {
  from: { width: number; height: number }
  to: { width: number; height: number }
}

export interface PictureSizeJob extends FileJob, Pick<JobInput<'size'>, 'size' | 'format'> {}

export type SizedPicture = DerivedFile & NonNullable<JobAnswer<'size'>>

/** Runs one job in a decoder and resolves with the decoder's answer. */
export type RunJob = <K extends JobKind>(kind: K, input: JobInput<K>) => Promise<JobAnswer<K>>

/**
 * Measures the source and makes its derived files. `kind` is the kind of the source: picture, video or audio.
 */
export async function deriveFiles(
  runJob: RunJob,
  job: DeriveJob,
  kind: Kind,
  scratch: Scratch,
): Promise<DerivedSet> {
  const { source } = job
  const isPicture = kind === 'bilder'
  const scaledPictures = job.parts.flatMap(part => {
    const scaling = kind === 'audio' ? null : DERIVATIONS[part].scaling
    return scaling ? { part, target: scratch.newPath(`.${part}.webp`), ...scaling } : []
  })
  const derivedSet: DerivedSet = await runJob(isPicture ? 'picture' : 'media', {
    source,
    scaled: scaledPictures,
  })
  for (const { part, target } of scaledPictures) {
    const file = await scratch.keep(target)
    if (file) derivedSet[part] = file
  }
  if (isPicture && job.parts.includes('variant')) await deriveVariant(runJob, job, derivedSet, scratch)
  return derivedSet
}

/**
 * Makes the variant in a separate job, because lossless encoding takes longest and needs the most memory. If
 * the decoder is killed for that, the dimensions and the preview are not lost.
 */
async function deriveVariant(
  runJob: RunJob,
  { source }: DeriveJob,
  derivedSet: DerivedSet,
  scratch: Scratch,
): Promise<void> {
  const target = scratch.newPath('.variant.webp')
  try {
    await runJob('variant', { source, target })
    const variant = await scratch.keep(target)
    if (variant) derivedSet.variant = variant
  } catch (error) {
    if (!(error instanceof ImagesError) || error.reason === 'closed') throw error
    if (error.reason !== 'refused') derivedSet.variantError = error
  }
}

export async function scaleDown(
  runJob: RunJob,
  job: DownscaleJob,
  scratch: Scratch,
): Promise<DownscaledPicture | null> {
  const target = scratch.newPath('.scaled')
  const dimensions = await runJob('downscale', { source: job.source, target, maxEdge: job.maxEdge })
  if (!dimensions) return null
  const file = await scratch.keep(target)
  if (!file) throw new ImagesError('crashed', 'decoder claims a scaled picture that is not there')
  return { ...file, ...dimensions }
}

export async function makeSizedPicture(
  runJob: RunJob,
  { source, size, format }: PictureSizeJob,
  isVideo: boolean,
  scratch: Scratch,
): Promise<SizedPicture | null> {
  const target = scratch.newPath('.size')
  const answer = await runJob('size', { source, target, size, format, isVideo })
  if (!answer) return null
  const file = await scratch.keep(target)
  if (!file) throw new ImagesError('crashed', 'decoder claims a picture that is not there')
  return { ...answer, ...file }
}
