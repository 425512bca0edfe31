/**
 * A fill fetches one object that is missing from the cache. All readers of this process share a fill, and the
 * processes of a machine coordinate by claims in the index, so that the object is usually requested from the
 * store only once. A small object is served from memory while its file is still being written.
 *
 * A claim is a lease that holds on this machine only. It is in the cache's own index, because the leases of
 * `jobs/leases.ts` cost a round trip to the shared database for each object that is missing.
 */
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import type { NewId } from '../../base/ids.ts'
import { openLocalObject } from '../local/local-object.ts'
import { longPath } from '../local/platform.ts'
import type { FoundObject, S3Objects } from '../s3/objects.ts'
import type { ByteRange, StoredObject } from '../storage.ts'
import { download, downloadTo, fetchWithRetry, LocalDiskError } from './download.ts'
import type { CacheFolder } from './folder.ts'
import { CLAIM_LIFETIME, READER_GRACE_PERIOD } from './index.ts'

/** Maximum bytes of an object that is served from memory. */
const MAX_BYTES_IN_MEMORY = 256 * 1024

/** Milliseconds between two attempts to take the claim on an object while another process has it. */
const POLL_INTERVAL = 10

export interface FillParts {
  objects: Pick<S3Objects, 'get'>
  folder: CacheFolder
  /** A local folder for downloads, on the same disk as the cache. */
  scratch: string
  capacity: number
  /** Identifies this process in claims. */
  owner: string
  newId: NewId
}

/** Opens an object that was fetched; null if it is no longer cached. */
type ObjectOpener = (range?: ByteRange) => StoredObject | null

interface Fill {
  /**
   * Resolves with a function that opens the object, as soon as it can be read; null if the object does not
   * exist. Rejects with `LocalDiskError` if the object cannot be stored on this machine.
   */
  readonly opener: Promise<ObjectOpener | null>
  /** Resolves when the file is in the cache, or will not get there. */
  readonly settledPromise: Promise<void>
}

/** Tracks the running fills of this process, so that `join` starts only one for each object. */
export function createFills(parts: FillParts) {
  const runningFills = new Map<string, Fill>()
  return {
    join(name: string): Fill {
      const runningFill = runningFills.get(name)
      if (runningFill) return runningFill
      const fill = startFill(parts, name)
      runningFills.set(name, fill)
      void fill.settledPromise.then(() => runningFills.delete(name))
      return fill
    },
    waitUntilSettled: () => Promise.all([...runningFills.values()].map(fill => fill.settledPromise)),
  }
}

function startFill(parts: FillParts, name: string): Fill {
  const { folder, owner } = parts
  const { index } = folder
  const key = folder.keyOf(name)
  const { promise: settledPromise, resolve: settle } = Promise.withResolvers<void>()

  /**
   * Takes the claim on the object for this process, and returns a function that releases it. Rejects if the
   * index cannot be used.
   */
  async function claim(): Promise<() => void> {
    try {
      while (!index.claim(key, owner)) await Bun.sleep(POLL_INTERVAL)
    } catch (error) {
      throw new LocalDiskError('the cache cannot be used', { cause: error })
    }
    const renewalTimer = setInterval(() => attempt(() => index.claim(key, owner)), CLAIM_LIFETIME / 3)
    return () => {
      clearInterval(renewalTimer)
      attempt(() => index.unclaim(key, owner))
    }
  }

  async function fetchIntoCache(): Promise<ObjectOpener | null> {
    let releaseClaim = () => {}
    let storePromise: Promise<unknown> = Promise.resolve()
    try {
      releaseClaim = await claim()
      // Another process may have fetched the object while this one waited for the claim.
      if (attempt(() => folder.find(key))) return range => folder.find(key, range)
      const foundObject = await parts.objects.get(name)
      if (!foundObject) return null
      if (foundObject.content.size <= MAX_BYTES_IN_MEMORY) {
        const bytes = await fetchWithRetry(parts.objects, name, foundObject, object =>
          fetchToMemory(parts, name, object),
        )
        storePromise = storeInCache(parts, key, bytes)
        return range => openBytes(bytes, range)
      }
      return await fetchWithRetry(parts.objects, name, foundObject, object =>
        fetchToFile(parts, name, object),
      )
    } finally {
      void storePromise.finally(() => {
        releaseClaim()
        settle()
      })
    }
  }

  const opener = fetchIntoCache()
  opener.catch(() => {})
  return { opener, settledPromise }
}

async function fetchToMemory(
  parts: FillParts,
  name: string,
  foundObject: FoundObject,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(foundObject.content.size)
  let offset = 0
  await download(parts.objects, name, foundObject, chunk => {
    bytes.set(chunk, offset)
    offset += chunk.length
  })
  return bytes
}

function openBytes(bytes: Uint8Array<ArrayBuffer>, range?: ByteRange): StoredObject {
  const rangeBytes = range ? bytes.subarray(range.start, range.end) : bytes
  return { size: bytes.length, body: new Blob([rangeBytes]), bytes: async () => rangeBytes }
}

/** Writes a small object to the cache. If that fails, the object is fetched again the next time. */
async function storeInCache(parts: FillParts, key: string, bytes: Uint8Array): Promise<void> {
  const file = longPath(join(parts.scratch, parts.newId()))
  try {
    await writeFile(file, bytes, { flag: 'wx' })
    if (await parts.folder.place(file, key, bytes.length)) return
  } catch {}
  await rm(file, { force: true })
}

async function fetchToFile(parts: FillParts, name: string, foundObject: FoundObject): Promise<ObjectOpener> {
  const { folder, capacity } = parts
  const { size } = foundObject.content
  const key = folder.keyOf(name)
  if (size > capacity) {
    foundObject.answer.drop()
    throw new LocalDiskError(`${name} is larger than the cache`)
  }
  const file = longPath(join(parts.scratch, parts.newId()))
  const handle = await open(file, 'wx').catch(error => {
    foundObject.answer.drop()
    throw new LocalDiskError('the cache cannot be written to', { cause: error })
  })
  try {
    try {
      await downloadTo(handle, parts.objects, name, foundObject)
    } finally {
      await handle.close()
    }
    const isPlaced = await folder.place(file, key, size).catch(() => false)
    if (isPlaced) return range => folder.find(key, range)
    // The cache has not taken the file, but the waiting readers can open it for `READER_GRACE_PERIOD`.
    setTimeout(() => void rm(file, { force: true }), READER_GRACE_PERIOD).unref()
    return range => openLocalObject(file, range)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}
