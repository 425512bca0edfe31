import type { DecoderLimits } from '../options.ts'
import type { Answer, Job, Kind } from '../protocol.ts'

/** Does one job. Throws where the decoder says no. Libraries load with the first job that needs them. */
export async function perform(job: Job, limits: DecoderLimits): Promise<Answer<Kind>> {
  switch (job.kind) {
    case 'picture':
      return (await import('./picture.ts')).measureAndPreview(job, limits)
    case 'variant':
      return (await import('./variant.ts')).writeVariant(job, limits)
    case 'downscale':
      return (await import('./downscale.ts')).writeDownscaled(job, limits)
    case 'media':
      return (await import('./media.ts')).measureAndPoster(job, limits)
  }
}
