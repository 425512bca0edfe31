/** Scales pictures down before they are stored, for tokens that limit the edge length of pictures. */

import { sha256Of } from '../../base/hash/sha256.ts'
import { NOT_SCALED_DETAIL } from '../../contract/values/limits.ts'
import { type Images, ImagesError } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { ReceivedFile } from './intake.ts'

export interface Dimensions {
  width: number
  height: number
}

/** The file that replaces the uploaded one, and the dimensions of the picture before and after. */
export interface DownscaledFile {
  file: ReceivedFile
  from: Dimensions
  to: Dimensions
}

/**
 * The result if scaling failed: the file is stored as it was uploaded, and `details` is shown in the history.
 */
export interface UnscaledFile {
  details: string
}

/** Scales a picture down; null if that is not needed. */
export type Downscale = (
  file: ReceivedFile,
  mime: string,
  maxEdge: number,
  client: string,
) => Promise<DownscaledFile | UnscaledFile | null>

interface DownscaleParts extends Pick<FeatureParts, 'storage' | 'log'> {
  images: Images
}

export function createDownscale({ images, storage, log }: DownscaleParts): Downscale {
  return async (file, mime, maxEdge, client) => {
    const source = await file.staging.file()
    const result = await images
      .downscale({ source, mime, scratch: storage.scratch, maxEdge, requester: { client, awaited: true } })
      .catch(error => {
        if (!(error instanceof ImagesError) || error.reason === 'closed') throw error
        return error
      })
    if (!result) return null
    if (result instanceof ImagesError) {
      log.warn('a picture is stored as it was sent', { mime, maxEdge, cause: String(result) })
      return { details: NOT_SCALED_DETAIL }
    }
    const staging = storage.adopt(result.file)
    const sha256 = await sha256Of(Bun.file(result.file).stream())
    return {
      file: { staging, size: result.size, sha256, head: file.head },
      from: result.from,
      to: result.to,
    }
  }
}
