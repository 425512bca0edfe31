/**
 * The steps that every upload with a token has in common, whichever route it came by: applying the size limit
 * while bytes arrive, checking prefix and kinds (`token-limits.ts`), scaling down, storing.
 */

import { kindOf } from '../../contract/paths/kinds.ts'
import type { Token } from '../../http/access/callers.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { checkDigests, type Digest } from '../../http/bodies/digests.ts'
import type { FeatureParts } from '../feature.ts'
import type { FileToStore, Media, StoredFile } from '../media/media.ts'
import { type CheckKinds, detectedType } from './bytes-kind.ts'
import type { Downscale, DownscaledFile, Edges, KeptFile } from './downscale.ts'
import { type ByteSource, type ReceivedFile, receive } from './intake.ts'
import { declaredEssence } from './media-type.ts'
import type { RemoveMetadata } from './remove-metadata.ts'
import { checkPath, sizeLimitOf } from './token-limits.ts'

/** The bytes of an upload, with what the client said about them. */
interface UploadSource {
  bytes: ByteSource
  /** As the client named the file; may be empty. */
  filename: string
  declaredType: string
}

export interface ReceivedUpload extends ReceivedFile {
  filename: string
  /** Without parameters; empty when nothing was declared, or when the declaration is not a media type. */
  declaredType: string
}

interface StoringPlan {
  mime: string
  /** Called when the bytes, and so their hash, are final. */
  pathFor(sha256: string): string | Promise<string>
  overwrite: FileToStore['overwrite']
}

export interface DepositedFile extends StoredFile {
  /** Present only when the picture was scaled down. */
  downscaled?: { from: Edges; to: Edges }
}

/** Discards the file and throws unless its bytes, as they were sent, have the announced digests. */
export async function requireDigests(announced: readonly Digest[], received: ReceivedFile): Promise<void> {
  try {
    checkDigests(announced, received)
  } catch (error) {
    await received.staging.discard()
    throw error
  }
}

export interface Deposit {
  limitFor(token: Token): SizeLimit
  receive(token: Token, source: UploadSource): Promise<ReceivedUpload>
  /** When this call ends, also with an error, the received bytes are stored or discarded. */
  store(token: Token, received: ReceivedUpload, plan: StoringPlan): Promise<DepositedFile>
}

interface DepositParts extends Pick<FeatureParts, 'storage' | 'settings'> {
  media: Media
  checkKinds: CheckKinds
  downscale: Downscale
  removeMetadata: RemoveMetadata
}

export function createDeposit(parts: DepositParts): Deposit {
  const { storage, media, settings, checkKinds, downscale, removeMetadata } = parts
  const limitFor = (token: Token) => sizeLimitOf(token, settings)

  /** A picture by its bytes is scaled down whatever it is called. */
  async function fitEdge(
    token: Token,
    file: ReceivedFile,
    types: readonly (string | null)[],
  ): Promise<DownscaledFile | KeptFile | null> {
    const picture = types.find(type => type !== null && kindOf(type) === 'bilder')
    return picture && token.maxEdge !== null ? downscale(file, picture, token.maxEdge, token.id) : null
  }

  return {
    limitFor,

    async receive(token, { bytes, filename, declaredType }) {
      const received = await receive(storage, bytes, limitFor(token))
      return { ...received, filename, declaredType: declaredEssence(declaredType) }
    },

    async store(token, received, { mime, pathFor, overwrite }) {
      let scaled: DownscaledFile | null = null
      let kept: Pick<ReceivedFile, 'staging' | 'size' | 'sha256'> = received
      try {
        const bytesType = token.kinds || token.maxEdge !== null ? await detectedType(received) : null
        await checkKinds(token, received, { mime, bytesType })
        const fitted = await fitEdge(token, received, [bytesType, mime])
        if (fitted && 'file' in fitted) scaled = fitted
        kept = await removeMetadata(scaled?.file ?? received, token.stripMetadata)
        const { staging, size, sha256 } = kept
        const path = await pathFor(sha256)
        checkPath(token, path)
        const stored = await media.store({
          ...{ path, mime, staging, size, sha256, by: { token }, overwrite },
          ...(fitted && 'details' in fitted && { details: fitted.details }),
        })
        return scaled ? { ...stored, downscaled: { from: scaled.from, to: scaled.to } } : stored
      } finally {
        await received.staging.discard()
        await scaled?.file.staging.discard()
        await kept.staging.discard()
      }
    },
  }
}
