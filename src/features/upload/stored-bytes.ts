/**
 * Makes the bytes to store for an upload: scaled down and without metadata, if the token or a setting says
 * so. The size and hash in the answer and in the database are those of these bytes.
 */
import type { Token } from '../../http/access/actor.ts'
import type { Dimensions, Downscale } from './edge-limit.ts'
import type { ReceivedFile } from './receive-bytes.ts'
import type { RemoveMetadata } from './remove-metadata.ts'

export interface StoredBytes extends Pick<ReceivedFile, 'staging' | 'size' | 'sha256'> {
  /** Set only if the picture was scaled down. */
  downscaled?: { from: Dimensions; to: Dimensions }
  /** Why the picture was not scaled down, for the history. Set only if the token requires scaling. */
  details?: string
  /** Discards what was staged besides the received file. */
  discard(): Promise<void>
}

export type MakeStoredBytes = ReturnType<typeof createStoredBytes>

export function createStoredBytes(parts: { downscale: Downscale; removeMetadata: RemoveMetadata }) {
  const { downscale, removeMetadata } = parts

  /** `mime`: the media type of the label. Leaves nothing staged if it rejects. */
  return async (token: Token, receivedFile: ReceivedFile, mime: string): Promise<StoredBytes> => {
    const scaling = await downscale(token, receivedFile, mime)
    const scaledFile = scaling && 'file' in scaling ? scaling : null
    const discardScaled = async () => scaledFile?.file.staging.discard()
    try {
      const finalFile = await removeMetadata(scaledFile?.file ?? receivedFile, token.stripMetadata)
      return {
        ...finalFile,
        ...(scaledFile && {
          downscaled: { from: scaledFile.originalDimensions, to: scaledFile.scaledDimensions },
        }),
        ...(scaling && 'details' in scaling && { details: scaling.details }),
        async discard() {
          await discardScaled()
          await finalFile.staging.discard()
        },
      }
    } catch (error) {
      await discardScaled()
      throw error
    }
  }
}
