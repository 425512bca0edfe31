/** A token may limit the edge of pictures: larger ones are scaled down before they are stored. */
import { createHash } from 'node:crypto'
import { failure } from '../../errors.ts'
import { type Images, ImagesError } from '../../images/images.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ReceivedFile } from './intake.ts'

export interface Edges {
  width: number
  height: number
}

/** The file to store instead, and how it shrank; null when the one that was sent is fine. */
export interface DownscaledFile {
  file: ReceivedFile
  from: Edges
  to: Edges
}

export type Downscale = (file: ReceivedFile, mime: string, maxEdge: number) => Promise<DownscaledFile | null>

export function createDownscale({ images, storage }: { images: Images; storage: Storage }): Downscale {
  return async (file, mime, maxEdge) => {
    const source = file.staging.file
    const scaled = await images
      .downscale({ source, mime, scratch: storage.scratch, maxEdge })
      .catch(error => {
        // A picture that cannot be read cannot be shown to keep the limit either, so it is not let in.
        if (error instanceof ImagesError && error.reason !== 'closed') throw failure.downscaleRefused(maxEdge)
        throw error
      })
    if (!scaled) return null
    const staging = storage.adopt(scaled.file)
    const hash = createHash('sha256')
    for await (const chunk of Bun.file(scaled.file).stream()) hash.update(chunk)
    return {
      file: { staging, size: scaled.size, sha256: hash.digest('hex'), head: file.head },
      from: scaled.from,
      to: scaled.to,
    }
  }
}
