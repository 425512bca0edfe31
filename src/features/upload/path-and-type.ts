/**
 * Decides the path and the media type of an upload. The client may choose both. Without a path one is
 * generated; without a type it is determined from the name or the content of the file.
 */
import { DEFAULT_PREFIX } from '../../contract/accounts/tokens.ts'
import type { Token } from '../../http/access/actor.ts'
import { checkDigests } from '../../http/bodies/digests.ts'
import { extensionFor } from './file-extension.ts'
import { typeOfExtension, typeOfPath } from './type-lookup.ts'
import type { ReceivedUpload, StoragePlan, UploadOptions } from './upload.ts'

/** Number of characters of the hash in a generated path. */
const HASH_LENGTH = 32

/** Decides how an upload with these options is stored. Rejects if the bytes do not match a digest. */
export async function storagePlanOf(
  token: Token,
  { path, mime, digests, ...otherOptions }: UploadOptions,
  receivedUpload: ReceivedUpload,
): Promise<StoragePlan> {
  checkDigests(digests, receivedUpload)
  if (path !== null) return { mime: mime ?? typeOfPath(path), pathFor: () => path, ...otherOptions }
  // The path is made from the content, so that it cannot be guessed, and equal files with the same extension
  // get the same path.
  const extension = await extensionFor({ ...receivedUpload, mime })
  const pathFor = (sha256: string) =>
    `${token.prefix ?? DEFAULT_PREFIX}${sha256.slice(0, HASH_LENGTH)}.${extension}`
  return { mime: mime ?? typeOfExtension(extension), pathFor, ...otherOptions }
}
