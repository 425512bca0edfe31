/**
 * Stores a file that a compatibility route received, if it is of a kind that the route accepts. Every upload
 * gets an id of its own, even if the same bytes are already stored.
 */

import { kindOf } from '../../contract/paths/kinds.ts'
import { COMPAT_KINDS, type CompatKind } from '../../contract/upload/compat.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import { checkDigests, type Digest } from '../../http/bodies/digests.ts'
import { findByPath } from '../media/media.store.ts'
import type { ReceivedUpload, Upload } from '../upload/upload.ts'
import { folderFor, pathForContent } from './compat-path.ts'
import type { DetectType } from './detect-type.ts'

interface CompatOptions {
  /** The kind that the file must have; null if any kind is accepted. */
  kind: CompatKind | null
  /** The form field `filename`, from which the stored name is made. */
  filename: string
  /** The form field `path`, a folder below the token's prefix. */
  folder: string
  /**
   * The digests that the client announced for the file. The bytes must match them as received, before
   * downscaling or removal of metadata.
   */
  digests: readonly Digest[]
}

export type StoreCompat = ReturnType<typeof createStoreCompat>

interface CompatParts {
  database: Database
  upload: Upload
  detectType: DetectType
}

export function createStoreCompat({ database, upload, detectType }: CompatParts) {
  const hashAt = async (path: string) => (await findByPath(database.read, path))?.sha256 ?? null

  /** Stores a received file. When this resolves or rejects, the bytes have been stored or discarded. */
  return (token: Token, options: CompatOptions, receivedUpload: ReceivedUpload) =>
    upload.store(token, receivedUpload, async () => {
      checkDigests(options.digests, receivedUpload)
      const folder = folderFor(token, options.folder)
      const { mime, extension } = await detectType(receivedUpload, options.filename, token.id)
      if (options.kind && kindOf(mime) !== COMPAT_KINDS[options.kind]) {
        throw failure.kindUnfit(COMPAT_KINDS[options.kind], kindOf(mime), mime)
      }
      const nameParts = { folder, filename: options.filename, extension }
      const pathFor = (sha256: string) => pathForContent(nameParts, sha256, hashAt)
      // If the bytes are at this path already, the upload only gets an id of its own (`joinUpload` in
      // `media/store-or-replace.ts`).
      return { mime, pathFor, overwrite: 'equal' }
    })
}
