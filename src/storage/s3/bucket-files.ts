/**
 * Files below a prefix of a bucket, for backups. They are written as streams and may be replaced. Unlike the
 * hash of an object of the library (`objects.ts`), the hash of such a file is not known before the file is
 * written. So the store does not keep the hash, and a writer has to read the file back to check it.
 */
import { type ListedObject, StorageUnavailableError } from '../storage.ts'
import { abortOldUploads, partsOfStream, putParts } from './multipart.ts'
import { createS3Objects, listObjects, MULTIPART_MIN_BYTES } from './objects.ts'
import type { S3Requests } from './requests.ts'
import { elementsOf } from './xml.ts'

/** Maximum number of bytes that S3 copies in one request (`CopyObject`). */
const MAX_COPY_BYTES = 5 * 1024 ** 3

/**
 * Additional milliseconds for the answer to a copy request: some stores send nothing until they have copied
 * the file.
 */
const COPY_EXTRA_TIME = 10 * 60_000

/** Maximum number of times in succession that a download is resumed without receiving a single byte. */
const MAX_RESUMPTIONS = 5

const NAME_TAKEN_STATUS = 412
const NOT_IMPLEMENTED = 501

export type BucketFiles = ReturnType<typeof createBucketFiles>

/** `bucket`: the name of the bucket, which a copy needs. */
export function createBucketFiles(
  requests: S3Requests,
  { bucket, prefix }: { bucket: string; prefix: string },
) {
  const objects = createS3Objects(requests)
  const keyOf = (name: string) => prefix + name
  const sizeOf = async (name: string) => (await objects.head(keyOf(name)))?.size ?? null

  /**
   * Reads a file from an offset to its end, and resumes after a broken connection. Rejects if the file is
   * absent.
   */
  async function* read(name: string, start = 0): AsyncGenerator<Uint8Array> {
    const size = await sizeOf(name)
    if (size === null) throw new StorageUnavailableError(`${name} is not in the bucket`)
    for (let [offset, failureCount] = [start, 0]; offset < size; ) {
      const offsetBefore = offset
      try {
        const foundObject = await objects.get(keyOf(name), { start: offset, end: size })
        if (!foundObject) throw new StorageUnavailableError(`${name} is gone while it is read`)
        for await (const chunk of foundObject.answer.chunks()) {
          offset += chunk.length
          if (offset > size) throw new StorageUnavailableError(`${name} is longer than was said`)
          yield chunk
        }
      } catch (error) {
        failureCount = offset > offsetBefore ? 0 : failureCount + 1
        if (failureCount > MAX_RESUMPTIONS) throw error
      }
    }
  }

  async function write(
    name: string,
    chunks: AsyncIterable<Uint8Array>,
    length: number,
    isResumable = false,
  ): Promise<void> {
    if (length >= MULTIPART_MIN_BYTES)
      return putParts(requests, {
        name: keyOf(name),
        parts: partsOfStream(chunks),
        headers: {},
        isResumable,
        isComplete: async () => (await sizeOf(name)) === length,
      })
    await putInOneRequest(requests, keyOf(name), Buffer.concat(await Array.fromAsync(copyChunks(chunks))))
  }

  return {
    size: sizeOf,
    read,
    /**
     * Lists the files whose names begin with `namePrefix`, which may be any beginning of a name. The names
     * are without `prefix` and in no particular order.
     */
    async *list(namePrefix: string): AsyncGenerator<ListedObject> {
      for await (const object of listObjects(requests, keyOf(namePrefix)))
        yield { ...object, name: object.name.slice(prefix.length) }
    },
    /**
     * Creates or replaces the file with these bytes; `length` is their number. The file appears as a whole or
     * not at all. `isResumable`: the caller guarantees that a file with this name always has the same bytes;
     * an interrupted upload in parts is then resumed.
     */
    write,
    /**
     * Creates a file, and changes nothing if it exists already. The result does not say which of the two
     * happened. It is false only if the store does not support conditional requests: then another process may
     * replace the file that this process has just created.
     */
    async create(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
      const status = await putInOneRequest(requests, keyOf(name), bytes, { 'if-none-match': '*' })
      if (status !== NOT_IMPLEMENTED) return true
      if ((await sizeOf(name)) === null) await putInOneRequest(requests, keyOf(name), bytes)
      return false
    },
    /** Copies a file. Returns false if the file is absent. */
    async copy(from: string, to: string): Promise<boolean> {
      const size = await sizeOf(from)
      if (size === null) return false
      if (size > MAX_COPY_BYTES) await write(to, read(from), size)
      else await copyInOneRequest(requests, keyOf(to), `${bucket}/${keyOf(from)}`)
      return true
    },
    /**
     * Removes what is left of writes that began before `begunBefore` (Unix milliseconds) and were not
     * completed.
     */
    removeUnfinished: (begunBefore: number) => abortOldUploads(requests, begunBefore, prefix),
    async remove(names: readonly string[]): Promise<void> {
      for (const error of (await objects.removeAll(names.map(keyOf))).values()) throw error
    },
  }
}

/**
 * Copies each chunk, because a chunk is valid only until the next one is read. `slice` would not copy a chunk
 * that is a `Buffer`: it would return a view.
 */
async function* copyChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield new Uint8Array(chunk)
}

async function putInOneRequest(
  { send }: S3Requests,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<number> {
  const body = { bytes, size: bytes.length, sha256: Bun.SHA256.hash(bytes, 'hex') }
  const allowedStatuses = headers['if-none-match'] ? [NAME_TAKEN_STATUS, NOT_IMPLEMENTED] : []
  const answer = await send({ method: 'PUT', key, headers, body, allowedStatuses })
  await answer.text()
  return answer.status
}

async function copyInOneRequest({ send }: S3Requests, key: string, source: string): Promise<void> {
  const headers = { 'x-amz-copy-source': `/${source.split('/').map(encodeURIComponent).join('/')}` }
  const answer = await send({ method: 'PUT', key, headers, extraTimeoutMs: COPY_EXTRA_TIME })
  // As with `completeUpload` in `multipart.ts`, the body of a successful answer may contain an error.
  if ([...elementsOf(await answer.text(), 'Error')].length > 0)
    throw new StorageUnavailableError(`the store does not copy ${source}`)
}
