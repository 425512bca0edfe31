/**
 * Uploads with a token. All routes share these steps: applying the size limit while bytes arrive, checking
 * prefix and kinds, scaling down, removing metadata, storing. This file also has the rules of `/api/upload`,
 * where the client may choose path and type. Without a path one is generated; without a type it is determined
 * from the name or the content of the file.
 */

import { DEFAULT_PREFIX } from '../../contract/accounts/tokens.ts'
import { isMediaType, kindOf } from '../../contract/paths/kinds.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/token.ts'
import { checkDigests, type Digest } from '../../http/bodies/digests.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'
import type { FileToStore, Media, StoredFile } from '../media/media.ts'
import { type CheckKinds, detectedType } from './bytes-kind.ts'
import type { Dimensions, Downscale, DownscaledFile } from './edge-limit.ts'
import { type ByteSource, type ReceivedFile, receive } from './intake.ts'
import { declaredEssence, extensionFor, typeOfExtension, typeOfPath } from './media-type.ts'
import type { RemoveMetadata } from './remove-metadata.ts'
import { sizeLimitOf } from './size-limit.ts'
import { checkPath, requireKind } from './token-limits.ts'

/** The options of an upload. `path` and `mime` are null if the client did not choose them. */
export interface UploadOptions {
  path: string | null
  mime: string | null
  overwrite: FileToStore['overwrite']
  /**
   * The digests that the client announced. The bytes must match them as received, before scaling down or
   * removal of metadata.
   */
  digests: readonly Digest[]
  transactionHook?: FileToStore['transactionHook']
}

/** The bytes of an upload, with what the client said about them. */
interface UploadSource {
  bytes: ByteSource
  /** The file name that the client sent; may be empty. */
  filename: string
  declaredType: string
}

export interface ReceivedUpload extends ReceivedFile {
  filename: string
  /** The declared media type without parameters; empty if missing or invalid. */
  declaredType: string
}

interface StoringPlan {
  mime: string
  /** Returns the path of the file. Called when the bytes, and so their hash, are final. */
  pathFor(sha256: string): string | Promise<string>
  overwrite: FileToStore['overwrite']
  /** The actor for the history, if it is not the token. */
  actor?: FileToStore['actor']
  transactionHook?: FileToStore['transactionHook']
}

export interface UploadedFile extends StoredFile {
  /** Present only if the picture was scaled down. */
  downscaled?: { from: Dimensions; to: Dimensions }
}

export type Upload = ReturnType<typeof createUpload>

interface UploadParts extends Pick<FeatureParts, 'database' | 'storage' | 'settings'> {
  media: Media
  checkKinds: CheckKinds
  downscale: Downscale
  removeMetadata: RemoveMetadata
}

export function createUpload(parts: UploadParts) {
  const { database, storage, media, settings, checkKinds, downscale, removeMetadata } = parts
  const limitFor = (token: Token) => sizeLimitOf(token, settings)

  return {
    limitFor,

    /**
     * Checks the type, path and kind that the client chose before the body is read, and that the path is free
     * if nothing may be overwritten.
     */
    async admit(token: Token, { path, mime, overwrite, transactionHook }: UploadOptions) {
      if (mime !== null && !isMediaType(mime)) throw failure.mimeInvalid()
      if (path === null) return
      checkPath(token, path)
      if (token.kinds) requireKind(token, kindOf(mime ?? typeOfPath(path)))
      // With a hook, which checks the ticket, a taken path is refused later: in the transaction, after the
      // ticket was checked. If the last use of the ticket has taken the path, the answer must be that the
      // ticket is used up.
      if (!overwrite && !transactionHook && (await findByPath(database.read, path)))
        throw failure.pathTaken(path)
    },

    async receive(token: Token, { bytes, filename, declaredType }: UploadSource) {
      const receivedFile = await receive(storage, bytes, limitFor(token))
      return { ...receivedFile, filename, declaredType: declaredEssence(declaredType) }
    },

    /**
     * Stores a received file. `createPlan` throws if it refuses the file. When this resolves or rejects, the
     * received bytes have been stored or discarded.
     */
    async store(token: Token, receivedUpload: ReceivedUpload, createPlan: () => Promise<StoringPlan>) {
      let scaledFile: DownscaledFile | null = null
      let finalFile: Pick<ReceivedFile, 'staging' | 'size' | 'sha256'> = receivedUpload
      try {
        const { mime, pathFor, overwrite, actor = { token }, transactionHook } = await createPlan()
        const bytesType = token.kinds || token.maxEdge !== null ? await detectedType(receivedUpload) : null
        await checkKinds(token, receivedUpload, { mime, bytesType })
        const scalingResult = await downscale(token, receivedUpload, [bytesType, mime])
        if (scalingResult && 'file' in scalingResult) scaledFile = scalingResult
        finalFile = await removeMetadata(scaledFile?.file ?? receivedUpload, token.stripMetadata)
        const { staging, size, sha256 } = finalFile
        const path = await pathFor(sha256)
        checkPath(token, path)
        const storedFile = await media.store({
          ...{ path, mime, staging, size, sha256, actor, overwrite },
          ...(transactionHook && { transactionHook }),
          ...(scalingResult && 'details' in scalingResult && { details: scalingResult.details }),
        })
        return scaledFile
          ? {
              ...storedFile,
              downscaled: { from: scaledFile.originalDimensions, to: scaledFile.scaledDimensions },
            }
          : storedFile
      } finally {
        await receivedUpload.staging.discard()
        await scaledFile?.file.staging.discard()
        await finalFile.staging.discard()
      }
    },
  }
}

/** Number of characters of the hash in a generated path. */
const HASH_LENGTH = 32

/** Decides how an upload with these options is stored. Rejects if the bytes do not match a digest. */
export async function storingPlanOf(
  token: Token,
  { path, mime, digests, ...otherOptions }: UploadOptions,
  receivedUpload: ReceivedUpload,
): Promise<StoringPlan> {
  checkDigests(digests, receivedUpload)
  if (path !== null) return { mime: mime ?? typeOfPath(path), pathFor: () => path, ...otherOptions }
  // The path is made from the content, so that it cannot be guessed, and equal files with the same extension
  // get the same path.
  const extension = await extensionFor({ ...receivedUpload, mime })
  const pathFor = (sha256: string) =>
    `${token.prefix ?? DEFAULT_PREFIX}${sha256.slice(0, HASH_LENGTH)}.${extension}`
  return { mime: mime ?? typeOfExtension(extension), pathFor, ...otherOptions }
}
