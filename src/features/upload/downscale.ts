/** Scales pictures before they are stored, for tokens that limit their edge. */

import { sha256Of } from '../../base/hash/sha256.ts'
import { NOT_SCALED_DETAIL } from '../../contract/values/limits.ts'
import { type Images, ImagesError } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { ReceivedFile } from './intake.ts'

export interface Edges {
  width: number
  height: number
}

/** The file that replaces the sent one, and its edges before and after. */
export interface DownscaledFile {
  file: ReceivedFile
  from: Edges
  to: Edges
}

/** The result if scaling failed: the file is stored as sent, and the history shows `details`. */
export interface KeptFile {
  details: string
}

/** Scales a picture down; null if that is not needed. */
export type Downscale = (
  file: ReceivedFile,
  mime: string,
  maxEdge: number,
  client: string,
) => Promise<DownscaledFile | KeptFile | null>

interface DownscaleParts extends Pick<FeatureParts, 'storage' | 'log'> {
  images: Images
}

export function createDownscale({ images, storage, log }: DownscaleParts): Downscale {
  return async (file, mime, maxEdge, client) => {
    const source = await file.staging.file()
    const scaled = await images
      .downscale({ source, mime, scratch: storage.scratch, maxEdge, turn: { client, awaited: true } })
      .catch(error => {
        if (!(error instanceof ImagesError) || error.reason === 'closed') throw error
        return error
      })
    if (!scaled) return null
    if (scaled instanceof ImagesError) {
      log.warn('a picture is stored as it was sent', { mime, maxEdge, cause: String(scaled) })
      return { details: NOT_SCALED_DETAIL }
    }
    const staging = storage.adopt(scaled.file)
    const sha256 = await sha256Of(Bun.file(scaled.file).stream())
    return {
      file: { staging, size: scaled.size, sha256, head: file.head },
      from: scaled.from,
      to: scaled.to,
    }
  }
}
