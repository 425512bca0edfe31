/** Downloads a whole object, checks its length and hash, and resumes after a broken connection. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type FoundObject, type S3Objects, UNKNOWN_HASH } from '../s3/objects.ts'
import { DamagedObjectError, StorageUnavailableError } from '../storage.ts'

/** Milliseconds before the first and the second resumption. */
const PAUSES = [100, 500]

/** The local disk is full or broken; the store and the object may be all right. */
export class LocalTrouble extends Error {}

/**
 * Rejects if the store does not answer, and with `DamagedObjectError` after the last byte of a damaged
 * object.
 */
export async function download(
  objects: Pick<S3Objects, 'get'>,
  name: string,
  found: FoundObject,
  take: (chunk: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const { size, sha256 } = found.content
  const hash = createHash('sha256')
  let written = 0
  let answer = found.answer
  for (let broken = 0; ; broken++) {
    try {
      for await (const chunk of answer.chunks()) {
        hash.update(chunk)
        written += chunk.length
        if (written > size) break
        await handOn(take, chunk)
      }
      if (written < size) throw new Error(`the answer ended after ${written} of ${size} bytes`)
      break
    } catch (error) {
      const pause = PAUSES[broken]
      if (error instanceof LocalTrouble) throw error
      if (pause === undefined)
        throw new StorageUnavailableError(`the object ${name} broke off`, { cause: error })
      await Bun.sleep(pause)
      const rest = await objects.get(name, { start: written, end: size })
      if (!rest) throw new StorageUnavailableError(`the object ${name} is gone while it is read`)
      answer = rest.answer
    }
  }
  if (written !== size || (sha256 !== UNKNOWN_HASH && hash.digest('hex') !== sha256))
    throw new DamagedObjectError(
      `the object ${name} is damaged: the store sends other bytes than were stored`,
    )
}

/**
 * Fetches an object, and fetches it again if its bytes were damaged, because most damage happens in transit.
 */
export async function fetchWithRetry<T>(
  objects: Pick<S3Objects, 'get'>,
  name: string,
  found: FoundObject,
  fetchOnce: (found: FoundObject) => Promise<T>,
): Promise<T> {
  try {
    return await fetchOnce(found)
  } catch (error) {
    const again = error instanceof DamagedObjectError ? await objects.get(name) : null
    if (!again) throw error
    return fetchOnce(again)
  }
}

/** Writes an object into an open file, like `download`. */
export const downloadTo = (
  handle: FileHandle,
  objects: Pick<S3Objects, 'get'>,
  name: string,
  found: FoundObject,
) =>
  download(objects, name, found, async chunk => {
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
  })

async function handOn(take: (chunk: Uint8Array) => Promise<void> | void, chunk: Uint8Array): Promise<void> {
  try {
    await take(chunk)
  } catch (error) {
    throw new LocalTrouble('the cache cannot take the bytes', { cause: error })
  }
}
