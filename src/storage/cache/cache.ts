/**
 * The cache of an object store, on the local disk. Files are served from the cache; missing ones are fetched
 * first. A reader waits for at most `MAX_FETCH_WAIT` and then reads directly from the store, while the cache
 * continues to fetch. If the cache itself fails, for example because the disk is full, readers also read from
 * the store.
 */
import { createHash, type Hash } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import type { NewId } from '../../base/ids.ts'
import { withTimeout } from '../../base/time-limit.ts'
import { longPath } from '../local/platform.ts'
import { type FoundObject, type S3Objects, UNKNOWN_HASH } from '../s3/objects.ts'
import {
  type ByteRange,
  type ContentDigest,
  DamagedObjectError,
  StorageUnavailableError,
  type StoredObject,
} from '../storage.ts'
import { downloadTo, fetchWithRetry, LocalDiskError } from './download.ts'
import { createFills } from './fill.ts'
import { openCacheFolder } from './folder.ts'

/**
 * Milliseconds that a reader waits for a whole object, so that many readers cause one fetch. The time is
 * about enough for the largest file of the default settings at 30 MB/s.
 */
export const MAX_FETCH_WAIT = 2_000

/**
 * Milliseconds for which shutdown waits for running fetches; a store that does not answer must not delay it.
 */
const CLOSE_TIMEOUT = 1_000

export interface CacheParts {
  objects: Pick<S3Objects, 'get'>
  /** The folder of the cache, shared by the processes of this machine. */
  root: string
  /** Bytes that the cache may hold. */
  capacity: number
  scratch: string
  newId: NewId
  now: () => number
  fetchWait?: number
}

export async function openCache(parts: CacheParts) {
  const { objects, scratch, newId, fetchWait = MAX_FETCH_WAIT } = parts
  const folder = await openCacheFolder(parts)
  const fills = createFills({ ...parts, folder, owner: newId() })

  async function openMissing(name: string, range?: ByteRange): Promise<StoredObject | null> {
    const fill = fills.join(name)
    try {
      const openObject = await withTimeout(fetchWait, fill.opener)
      if (openObject === null) return null
      const object = openObject?.(range)
      if (object) return object
    } catch (error) {
      // The problem is on this machine, so the object is read directly from the store.
      if (!(error instanceof LocalDiskError)) throw error
    }
    return openRemote(objects, name, range, { isVerified: true })
  }

  return {
    open: async (name: string, range?: ByteRange) =>
      attempt(() => folder.find(folder.keyOf(name), range)) ?? openMissing(name, range),

    async withLocalFile<T>(name: string, use: (file: string) => Promise<T>) {
      const key = folder.keyOf(name)
      const file = longPath(join(scratch, newId()))
      // A second name (hard link) keeps the file until `use` has ended, even if the cache evicts it.
      const isLinked =
        attempt(() => folder.find(key)) &&
        (await link(folder.fileOf(key), file).then(
          () => true,
          () => false,
        ))
      try {
        return isLinked || (await fetchToFile(objects, name, file)) ? await use(file) : null
      } finally {
        await rm(file, { force: true })
      }
    },

    /**
     * Moves a local file into the cache. The file has the bytes of an object that is already in the store.
     * Resolves with false if the cache cannot take the file, which then stays where it is; the object is
     * fetched when it is needed.
     */
    adopt: (file: string, name: string, { size }: ContentDigest) =>
      folder.place(file, folder.keyOf(name), size).catch(() => false),

    /**
     * Tests the cache with a file, which stays in the cache if there is room. Rejects if writing to the cache
     * fails, or the cache cannot find the file afterwards.
     */
    async probe(file: string, name: string, { size }: ContentDigest) {
      const key = folder.keyOf(name)
      if ((await folder.place(file, key, size)) && !folder.find(key))
        throw new Error('the cache does not find what it took')
    },

    /** Removes objects from the cache after they were removed from the store. */
    drop(names: readonly string[]) {
      for (const name of names) attempt(() => folder.remove(folder.keyOf(name)))
    },

    async close() {
      await withTimeout(CLOSE_TIMEOUT, fills.waitUntilSettled())
      folder.close()
    },
  }
}

/**
 * Reads an object directly from the store, without storing anything locally. `isVerified`: when a whole
 * object is read, its last bytes are passed on only if its hash is right, or the store has `UNKNOWN_HASH` for
 * it. (The integrity check compares hashes itself.)
 */
export async function openRemote(
  objects: Pick<S3Objects, 'get'>,
  name: string,
  range?: ByteRange,
  { isVerified } = { isVerified: false },
): Promise<StoredObject | null> {
  const foundObject = await objects.get(name, range)
  if (!foundObject) return null
  const isHashed = isVerified && !range && foundObject.content.sha256 !== UNKNOWN_HASH
  const body = streamOf(foundObject, range, isHashed ? createHash('sha256') : null)
  return { size: foundObject.content.size, body, bytes: () => bytesOf(body) }
}

function streamOf(
  { answer, content }: FoundObject,
  range: ByteRange | undefined,
  hasher: Hash | null,
): ReadableStream<Uint8Array> {
  const chunks = answer.chunks()
  let remainingBytes = range ? range.end - range.start : content.size
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (value) {
          remainingBytes -= value.length
          hasher?.update(value)
          if (remainingBytes === 0 && hasher && hasher.digest('hex') !== content.sha256)
            throw new DamagedObjectError('the store sends other bytes than were stored')
          controller.enqueue(value)
        }
        if (!done) return
        if (remainingBytes !== 0)
          throw new StorageUnavailableError(`${remainingBytes} bytes of an answer are missing`)
        controller.close()
      },
      cancel: () => answer.drop(),
    },
    { highWaterMark: 0 },
  )
}

const bytesOf = async (body: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(body).arrayBuffer())

/** Downloads an object to a local file. Resolves with false if the object does not exist. */
async function fetchToFile(objects: Pick<S3Objects, 'get'>, name: string, file: string): Promise<boolean> {
  const foundObject = await objects.get(name)
  if (!foundObject) return false
  await fetchWithRetry(objects, name, foundObject, async object => {
    await using handle = await open(file, 'w')
    await downloadTo(handle, objects, name, object)
  }).catch(error => {
    // The damaged bytes are kept, as they would be if the file was damaged on a local disk. Callers that need
    // the right bytes compare hashes.
    if (!(error instanceof DamagedObjectError)) throw error
  })
  return true
}
