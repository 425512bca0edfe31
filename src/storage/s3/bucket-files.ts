/**
 * Files below a prefix of a bucket. They are written as streams and may be replaced. Unlike the content of a
 * library object (`objects.ts`), the content and hash of a file are not known before it is written, so a
 * writer has to read the file back to check it.
 */
import { type ListedObject, StorageUnavailableError } from '../storage.ts'
import { abortOldUploads, partsOfStream, putParts } from './multipart.ts'
import { createS3Objects, listObjects, MULTIPART_FROM } from './objects.ts'
import type { S3Requests } from './requests.ts'
import { elementsOf } from './xml.ts'

/** Maximum number of bytes that S3 copies in one request (`CopyObject`). */
const COPY_MAX = 5 * 1024 ** 3

/** Additional milliseconds for a copy, during which some stores send nothing. */
const COPYING = 10 * 60_000

/** Maximum number of times that a download is resumed without receiving a single byte. */
const RESUMPTIONS = 5

const NAME_TAKEN = 412
const NOT_IMPLEMENTED = 501

export type BucketFiles = ReturnType<typeof createBucketFiles>

/** `bucket`: the name of the bucket, which a copy needs. */
export function createBucketFiles(
  requests: S3Requests,
  { bucket, prefix }: { bucket: string; prefix: string },
) {
  const objects = createS3Objects(requests)
  const key = (name: string) => prefix + name
  const size = async (name: string) => (await objects.head(key(name)))?.size ?? null

  /** Reads a file from an offset on, and resumes after a broken connection. Rejects if the file is absent. */
  async function* read(name: string, from = 0): AsyncGenerator<Uint8Array> {
    const whole = await size(name)
    if (whole === null) throw new StorageUnavailableError(`${name} is not in the bucket`)
    for (let [at, failed] = [from, 0]; at < whole; ) {
      const before = at
      try {
        const found = await objects.get(key(name), { start: at, end: whole })
        if (!found) throw new StorageUnavailableError(`${name} is gone while it is read`)
        for await (const chunk of found.answer.chunks()) {
          at += chunk.length
          if (at > whole) throw new StorageUnavailableError(`${name} is longer than was said`)
          yield chunk
        }
      } catch (error) {
        failed = at > before ? 0 : failed + 1
        if (failed > RESUMPTIONS) throw error
      }
    }
  }

  async function write(
    name: string,
    chunks: AsyncIterable<Uint8Array>,
    length: number,
    resumable = false,
  ): Promise<void> {
    if (length >= MULTIPART_FROM)
      return putParts(requests, {
        name: key(name),
        parts: partsOfStream(chunks),
        headers: {},
        resumable,
        isThere: async () => (await size(name)) === length,
      })
    await putWhole(requests, key(name), Buffer.concat(await Array.fromAsync(copies(chunks))))
  }

  return {
    size,
    read,
    /** Lists the files below a folder; their names are without the prefix and in no particular order. */
    async *list(below: string): AsyncGenerator<ListedObject> {
      for await (const object of listObjects(requests, key(below)))
        yield { ...object, name: object.name.slice(prefix.length) }
    },
    /**
     * Replaces the file by these bytes; `length` is their number. The file appears as a whole or not at all.
     * `resumable`: a file with this name always has the same bytes, so an interrupted upload is resumed.
     */
    write,
    /**
     * Creates a file, and changes nothing if it exists already. False if the store has no conditional
     * requests: then another process may replace the file that this one has just created.
     */
    async create(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
      const status = await putWhole(requests, key(name), bytes, { 'if-none-match': '*' })
      if (status !== NOT_IMPLEMENTED) return true
      if ((await size(name)) === null) await putWhole(requests, key(name), bytes)
      return false
    },
    /** Copies a file. Returns false if the file is absent. */
    async copy(from: string, to: string): Promise<boolean> {
      const length = await size(from)
      if (length === null) return false
      if (length > COPY_MAX) await write(to, read(from), length)
      else await copyWhole(requests, key(to), `${bucket}/${key(from)}`)
      return true
    },
    /** Removes the remains of writes that were interrupted before `limit` (Unix milliseconds). */
    removeUnfinished: (limit: number) => abortOldUploads(requests, limit, prefix),
    async remove(names: readonly string[]): Promise<void> {
      for (const error of (await objects.removeAll(names.map(key))).values()) throw error
    },
  }
}

/** Copies each chunk, since a chunk is valid only until the next one is read. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice()
}

async function putWhole(
  { send }: S3Requests,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<number> {
  const body = { bytes, size: bytes.length, sha256: Bun.SHA256.hash(bytes, 'hex') }
  const allowed = headers['if-none-match'] ? [NAME_TAKEN, NOT_IMPLEMENTED] : []
  const answer = await send({ method: 'PUT', key, headers, body, allowed })
  await answer.text()
  return answer.status
}

async function copyWhole({ send }: S3Requests, key: string, source: string): Promise<void> {
  const headers = { 'x-amz-copy-source': `/${source.split('/').map(encodeURIComponent).join('/')}` }
  const answer = await send({ method: 'PUT', key, headers, extra: COPYING })
  // As with `completeUpload` in `multipart.ts`, the body of a successful answer may contain an error.
  if ([...elementsOf(await answer.text(), 'Error')].length > 0)
    throw new StorageUnavailableError(`the store does not copy ${source}`)
}
