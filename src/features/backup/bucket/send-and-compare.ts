/**
 * Sends a file to a bucket, reads it back and compares it by SHA-256. The file already has its final name
 * when it is compared, because a store cannot rename files. If a crash prevents the comparison, a later run
 * reads the file again (`rereading.ts`).
 */
import { createHash } from 'node:crypto'
import type { BucketFiles } from '../../../storage/s3/bucket-files.ts'
import { ContentDiffers, type ContentSource, type OperationOptions } from '../places/place.ts'
import { digestOf } from '../places/write-and-compare.ts'
import { isStoreError } from './readable-errors.ts'
import type { Sealing } from './sealing.ts'

export interface SendOptions extends OperationOptions {
  content: ContentSource
  /** Size of the content in bytes. */
  size: number
  /** The expected checksum of the content, if it is known beforehand. */
  sha256?: string
}

/**
 * Rejects with `ContentDiffers` if the content does not have the checksum `sha256`. If the stored bytes
 * differ from the sent ones, removes the file and then rejects with `ContentDiffers` too.
 */
export async function sendAndCompare(
  files: BucketFiles,
  sealing: Sealing,
  file: string,
  { content, size, sha256, ...options }: SendOptions,
): Promise<void> {
  let sentSha256 = ''
  const checkedChunks = checkedContent(content(), sha256, options, checksum => {
    sentSha256 = checksum
  })
  await files.write(file, sealing.seal(checkedChunks), sealing.sealedSize(size), sealing.isDeterministic)
  const storedDigest = await digestOf(sealing.unseal(files.read(file)), options).catch(error => {
    if (isStoreError(error)) throw error
    options.signal.throwIfAborted()
    // The stored bytes cannot be decrypted, so they are not the ones that were sent.
    return { sha256: '', size: 0 }
  })
  if (storedDigest.sha256 === sentSha256) return
  await files.remove([file])
  throw new ContentDiffers('target', storedDigest)
}

/**
 * Yields the content, then calls `onChecksum` with its checksum. If `expectedSha256` is given and differs
 * from the checksum, throws instead, so that the upload is not completed.
 */
async function* checkedContent(
  content: AsyncIterable<Uint8Array>,
  expectedSha256: string | undefined,
  { signal, onBytes }: OperationOptions,
  onChecksum: (sha256: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    signal.throwIfAborted()
    hash.update(chunk)
    size += chunk.length
    onBytes(chunk.length)
    yield chunk
  }
  const sha256 = hash.digest('hex')
  if (expectedSha256 !== undefined && sha256 !== expectedSha256)
    throw new ContentDiffers('source', { sha256, size })
  onChecksum(sha256)
}
