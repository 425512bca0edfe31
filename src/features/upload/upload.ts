/**
 * Uploads with a token. All routes share these steps: applying the size limit while bytes arrive, checking
 * prefix and kinds, scaling down, removing metadata, storing.
 */

import { isMediaType, kindOf } from '../../contract/paths/kinds.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import type { Digest } from '../../http/bodies/digests.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'
import type { FileToStore, Media, StoredFile } from '../media/media.ts'
import { checkPath, requireKind } from '../tokens/check-limits.ts'
import type { CheckKinds } from './bytes-kind.ts'
import { type ByteSource, type ReceivedFile, receiveBytes } from './receive-bytes.ts'
import { sizeLimitOf } from './size-limit.ts'
import type { MakeStoredBytes, StoredBytes } from './stored-bytes.ts'
import { declaredEssence, typeOfPath } from './type-lookup.ts'

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

export interface StoragePlan {
  mime: string
  /** Returns the path of the file. Called when the bytes, and so their hash, are final. */
  pathFor(sha256: string): string | Promise<string>
  overwrite: FileToStore['overwrite']
  /** The actor for the history, if it is not the token. */
  actor?: FileToStore['actor']
  transactionHook?: FileToStore['transactionHook']
}

export type UploadedFile = StoredFile & Pick<StoredBytes, 'downscaled'>

export type Upload = ReturnType<typeof createUpload>

interface UploadParts extends Pick<FeatureParts, 'database' | 'storage' | 'settings'> {
  media: Media
  checkKinds: CheckKinds
  makeStoredBytes: MakeStoredBytes
}

export function createUpload(parts: UploadParts) {
  const { database, storage, media, settings, checkKinds, makeStoredBytes } = parts
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
      const receivedFile = await receiveBytes(storage, bytes, limitFor(token))
      return { ...receivedFile, filename, declaredType: declaredEssence(declaredType) }
    },

    /**
     * Stores a received file. `createPlan` throws if it refuses the file. When this resolves or rejects, the
     * received bytes have been stored or discarded.
     */
    async store(token: Token, receivedUpload: ReceivedUpload, createPlan: () => Promise<StoragePlan>) {
      let storedBytes: StoredBytes | undefined
      try {
        const { mime, pathFor, overwrite, actor = { token }, transactionHook } = await createPlan()
        await checkKinds(token, receivedUpload, mime)
        storedBytes = await makeStoredBytes(token, receivedUpload, mime)
        const { staging, size, sha256, downscaled, details } = storedBytes
        const path = await pathFor(sha256)
        checkPath(token, path)
        const storedFile = await media.store({
          path,
          mime,
          staging,
          size,
          sha256,
          actor,
          overwrite,
          ...(transactionHook && { transactionHook }),
          ...(details !== undefined && { details }),
        })
        return downscaled ? { ...storedFile, downscaled } : storedFile
      } finally {
        await receivedUpload.staging.discard()
        await storedBytes?.discard()
      }
    },
  }
}
