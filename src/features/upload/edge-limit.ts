/** Scales pictures down before they are stored, for tokens that limit the edge length of pictures. */

import { sha256OfStream } from '../../base/hash/sha256.ts'
import { NOT_SCALED_DETAIL } from '../../contract/files/history-details.ts'
import { kindOf, mediaTypeEssence } from '../../contract/paths/kinds.ts'
import type { Token } from '../../http/access/actor.ts'
import { type Images, ImagesError } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import { detectedType } from './bytes-kind.ts'
import type { ReceivedFile } from './receive-bytes.ts'

export interface Dimensions {
  width: number
  height: number
}

/** The file that replaces the uploaded one, and the dimensions of the picture before and after. */
export interface DownscaledFile {
  file: ReceivedFile
  originalDimensions: Dimensions
  scaledDimensions: Dimensions
}

/**
 * The result if scaling failed: the file is stored as it was uploaded, and `details` is shown in the history.
 */
export interface UnscaledFile {
  details: string
}

/**
 * Scales the file down if the token limits the edge of pictures, and the file is a picture by its content or
 * by its label, whose media type is `labelType`. Null if there is nothing to scale. Resolves with an
 * `UnscaledFile` if it cannot be scaled.
 */
export type Downscale = (
  token: Token,
  file: ReceivedFile,
  labelType: string,
) => Promise<DownscaledFile | UnscaledFile | null>

/** SVG is never scaled down: it has no pixels, and reading it may take long. */
const SVG_TYPE = 'image/svg+xml'

interface DownscaleParts extends Pick<FeatureParts, 'storage' | 'log'> {
  images: Images
}

export function createDownscale({ images, storage, log }: DownscaleParts): Downscale {
  return async ({ id: client, maxEdge }, file, labelType) => {
    if (maxEdge === null) return null
    const types = [await detectedType(file), labelType]
    const mime = types.find(type => type !== null && kindOf(type) === 'bilder')
    if (!mime || mediaTypeEssence(mime) === SVG_TYPE) return null
    const source = await file.staging.file()
    const downscaleResult = await images
      .downscale({ source, mime, scratch: storage.scratch, maxEdge, requester: { client, isAwaited: true } })
      .catch(error => {
        if (!(error instanceof ImagesError) || error.reason === 'closed') throw error
        return error
      })
    if (!downscaleResult) return null
    if (downscaleResult instanceof ImagesError) {
      log.warn('a picture is stored as it was sent', { mime, maxEdge, cause: String(downscaleResult) })
      return { details: NOT_SCALED_DETAIL }
    }
    const staging = storage.adopt(downscaleResult.file)
    const sha256 = await sha256OfStream(Bun.file(downscaleResult.file).stream())
    return {
      file: { staging, size: downscaleResult.size, sha256, firstBytes: file.firstBytes },
      originalDimensions: downscaleResult.from,
      scaledDimensions: downscaleResult.to,
    }
  }
}
