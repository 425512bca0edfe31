/** Chooses the function for each kind of job. */
import type { DecoderLimits } from '../options.ts'
import type { Answer, Job, Kind } from '../protocol.ts'
import { endEverything } from './end.ts'

/** Does one job. Throws when the decoder refuses the file. Libraries are loaded by the first job that needs them. */
export async function perform(job: Job, limits: DecoderLimits): Promise<Answer<Kind>> {
  switch (job.kind) {
    case 'picture':
      return (await loaded(import('./picture.ts'))).measureAndPreview(job, limits)
    case 'variant':
      return (await loaded(import('./variant.ts'))).writeVariant(job, limits)
    case 'downscale':
      return (await loaded(import('./downscale.ts'))).writeDownscaled(job, limits)
    case 'media':
      return (await loaded(import('./media.ts'))).measureAndPoster(job, limits)
  }
}

/**
 * A library that cannot be loaded says nothing about the picture. So this decoder process ends, with the reason on
 * standard error.
 */
function loaded<T>(library: Promise<T>): Promise<T> {
  return library.catch(error => {
    console.error(error)
    return endEverything()
  })
}
