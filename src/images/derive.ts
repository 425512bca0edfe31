/** Derives the results of one media file: its measures, preview, variant, or a smaller picture. */
import { kindOf } from '../contract/kinds.ts'
import { ImagesError } from './error.ts'
import type { Turn } from './pool.ts'
import type { Answer, Input, Kind } from './protocol.ts'
import type { Scratch } from './scratch.ts'

export interface DeriveJob {
  source: string
  mime: string
  size: number
  scratch: string
  variant: boolean
  preview: boolean
  turn: Turn
}

export interface Derived {
  /** Width and height as a viewer sees them, with orientation and rotation applied. Absent for audio or if unknown. */
  width?: number
  height?: number
  /** In seconds. */
  duration?: number
  /** WebP of a PNG (lossless) or JPEG, smaller than the source. */
  variant?: DerivedFile
  /** WebP, longer edge at most 480 pixels. Absent for audio, pictures too large to decode, video without ffmpeg. */
  preview?: DerivedFile
  /** For the log: the decoder was lost while making the variant. All other results are valid. */
  problem?: ImagesError
}

export interface DerivedFile {
  file: string
  size: number
}

export interface DownscaleJob {
  source: string
  mime: string
  scratch: string
  maxEdge: number
  turn: Turn
}

export interface Downscaled extends DerivedFile {
  from: { width: number; height: number }
  to: { width: number; height: number }
}

/** Lets a decoder do one job. */
export type Ask = <K extends Kind>(kind: K, input: Input<K>) => Promise<Answer<K>>

export async function derivePicture(ask: Ask, job: DeriveJob, scratch: Scratch): Promise<Derived> {
  const { source } = job
  const preview = job.preview ? scratch.name('.preview.webp') : null
  const derived: Derived = await ask('picture', { source, preview })
  if (preview) assign(derived, 'preview', await scratch.keep(preview))
  if (!job.variant) return derived
  // The variant is a job of its own: lossless encoding of a large picture takes longest and needs the most memory. If
  // the decoder is killed for that, dimensions and preview already exist.
  const variant = scratch.name('.variant.webp')
  try {
    await ask('variant', { source, target: variant })
    assign(derived, 'variant', await scratch.keep(variant, job.size))
  } catch (error) {
    if (!(error instanceof ImagesError) || error.reason === 'closed') throw error
    if (error.reason !== 'refused') derived.problem = error
  }
  return derived
}

export async function deriveMedia(ask: Ask, job: DeriveJob, scratch: Scratch): Promise<Derived> {
  const wanted = job.preview && kindOf(job.mime) === 'video'
  const preview = wanted ? scratch.name('.preview.webp') : null
  const derived: Derived = await ask('media', { source: job.source, preview })
  if (preview) assign(derived, 'preview', await scratch.keep(preview))
  return derived
}

export async function scaleDown(ask: Ask, job: DownscaleJob, scratch: Scratch): Promise<Downscaled | null> {
  const target = scratch.name('.scaled')
  const sizes = await ask('downscale', { source: job.source, target, maxEdge: job.maxEdge })
  if (!sizes) return null
  const file = await scratch.keep(target)
  if (!file) throw new ImagesError('crashed', 'decoder claims a scaled picture that is not there')
  return { ...file, ...sizes }
}

function assign(derived: Derived, name: 'preview' | 'variant', file: DerivedFile | undefined) {
  if (file) derived[name] = file
}
