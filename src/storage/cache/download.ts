/** Downloads a whole object, checks its length and hash, and resumes after a broken connection. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type FoundObject, type S3Objects, UNKNOWN_HASH } from '../s3/objects.ts'
import { DamagedObjectError, StorageUnavailableError } from '../storage.ts'

/** Milliseconds before the first and the second attempt to resume. */
const RESUME_PAUSES = [100, 500]

/**
 * The local disk or the cache cannot take the bytes, for example because it is full. The store and the object
 * may be fine.
 */
export class LocalDiskError extends Error {}

/**
 * Passes all bytes of an object to `consume`. Rejects with `LocalDiskError` if `consume` rejects, with
 * `StorageUnavailableError` if the store does not send them all, and with `DamagedObjectError` after the last
 * byte of a damaged object.
 */
export async function download(
  objects: Pick<S3Objects, 'get'>,
  name: string,
  foundObject: FoundObject,
  consume: (chunk: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const { size, sha256 } = foundObject.content
  const hasher = createHash('sha256')
  let receivedBytes = 0
  let answer = foundObject.answer
  for (let failureCount = 0; ; failureCount++) {
    try {
      for await (const chunk of answer.chunks()) {
        hasher.update(chunk)
        receivedBytes += chunk.length
        if (receivedBytes > size) break
        await passToConsumer(consume, chunk)
      }
      if (receivedBytes < size) throw new Error(`the answer ended after ${receivedBytes} of ${size} bytes`)
      break
    } catch (error) {
      const pause = RESUME_PAUSES[failureCount]
      if (error instanceof LocalDiskError) throw error
      if (pause === undefined)
        throw new StorageUnavailableError(`the object ${name} broke off`, { cause: error })
      await Bun.sleep(pause)
      const resumedObject = await objects.get(name, { start: receivedBytes, end: size })
      if (!resumedObject) throw new StorageUnavailableError(`the object ${name} is gone while it is read`)
      answer = resumedObject.answer
    }
  }
  if (receivedBytes !== size || (sha256 !== UNKNOWN_HASH && hasher.digest('hex') !== sha256))
    throw new DamagedObjectError(
      `the object ${name} is damaged: the store sends other bytes than were stored`,
    )
}

/**
 * Fetches an object, and fetches it once more if its bytes were damaged, because most damage happens in
 * transit.
 */
export async function fetchWithRetry<T>(
  objects: Pick<S3Objects, 'get'>,
  name: string,
  foundObject: FoundObject,
  fetchOnce: (foundObject: FoundObject) => Promise<T>,
): Promise<T> {
  try {
    return await fetchOnce(foundObject)
  } catch (error) {
    const refetchedObject = error instanceof DamagedObjectError ? await objects.get(name) : null
    if (!refetchedObject) throw error
    return fetchOnce(refetchedObject)
  }
}

/** Like `download`, but writes the bytes to an open file. */
export const downloadTo = (
  handle: FileHandle,
  objects: Pick<S3Objects, 'get'>,
  name: string,
  foundObject: FoundObject,
) =>
  download(objects, name, foundObject, async chunk => {
    for (let offset = 0; offset < chunk.length; ) offset += (await handle.write(chunk, offset)).bytesWritten
  })

async function passToConsumer(
  consume: (chunk: Uint8Array) => Promise<void> | void,
  chunk: Uint8Array,
): Promise<void> {
  try {
    await consume(chunk)
  } catch (error) {
    throw new LocalDiskError('the cache cannot take the bytes', { cause: error })
  }
}
