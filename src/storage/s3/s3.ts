/**
 * The storage adapter for an S3-compatible store, for any number of machines. Object names do not follow file
 * paths, because a rename would copy every byte. On the local disk the adapter keeps only staged bytes and a
 * cache, all of which may be lost.
 */
import { join } from 'node:path'
import type { NewId } from '../../base/ids.ts'
import { openCache, openRemote } from '../cache/cache.ts'
import { STAGING_DIR } from '../disk/disk.ts'
import { createScratch, probeScratch } from '../local/scratch.ts'
import { BUCKET_INSTANCE_KEY, BUCKET_STORAGE_MARK } from '../names.ts'
import type { Storage } from '../storage.ts'
import { abortOldUploads } from './multipart.ts'
import { createS3Objects, listObjects, NAME_TAKEN_STATUS } from './objects.ts'
import { createS3Partials } from './partials.ts'
import { type S3Requests, textBody } from './requests.ts'

const CACHE_DIR = 'cache'

/** Prefix of the object with which a probe tests the store; no object of a file has this prefix. */
const PROBE_PREFIX = 'probe/'

export interface S3StorageParts {
  requests: S3Requests
  /** The local folder that contains the staging folder and the cache. */
  root: string
  /** Bytes that the cache may hold. */
  cacheBytes: number
  newId: NewId
  now?: () => number
  /**
   * Milliseconds for which a reader waits until the cache has fetched the whole object, before it reads from
   * the store; only tests change it.
   */
  fetchWait?: number
}

export async function createS3Storage(parts: S3StorageParts): Promise<Storage> {
  const { requests, root, cacheBytes, newId, now = Date.now, fetchWait } = parts
  const staging = await createScratch({ root: join(root, STAGING_DIR), newId, isFlushed: false })
  const objects = createS3Objects(requests)
  const cache = await openCache({
    objects,
    newId,
    now,
    root: join(root, CACHE_DIR),
    capacity: cacheBytes,
    scratch: staging.scratch,
    ...(fetchWait !== undefined && { fetchWait }),
  })

  async function removeAll(names: readonly string[]): Promise<Map<string, unknown>> {
    const errors = await objects.removeAll(names)
    cache.drop(names.filter(name => !errors.has(name)))
    return errors
  }

  async function remove(name: string): Promise<void> {
    for (const error of (await removeAll([name])).values()) throw error
  }

  return {
    ...staging,
    namesFollowPaths: false,
    isShared: true,
    open: cache.open,
    withLocalFile: cache.withLocalFile,
    inspect: name => openRemote(objects, name),
    measure: async name => (await objects.head(name))?.size ?? null,
    list: prefix => listObjects(requests, prefix),
    removeUnfinished: (minAge, keptObjects) => abortOldUploads(requests, now() - minAge, '', keptObjects),
    ...createS3Partials({ requests, objects, staging, newId }),
    remove,
    removeAll,

    async commit(stagedBytes, name, content) {
      if (stagedBytes.object === name) return
      await stagedBytes.finish()
      const { bytes } = stagedBytes
      // Writing the local file first reports a full disk before the object is sent to the store.
      const file = await stagedBytes.file()
      await objects.put(bytes ?? file, name, content)
      if (await cache.adopt(file, name, content)) stagedBytes.markMoved()
    },

    relocate: () => Promise.reject(new Error('names do not follow paths in this store')),

    readMark: async () => (await objects.get(BUCKET_STORAGE_MARK))?.answer.text() ?? null,

    async writeMark(text) {
      if (text === null) return remove(BUCKET_STORAGE_MARK)
      await (await requests.send({ method: 'PUT', key: BUCKET_STORAGE_MARK, body: textBody(text) })).text()
    },

    readKey: async () => (await objects.get(BUCKET_INSTANCE_KEY))?.answer.text() ?? null,

    async writeKey(text, { replace }) {
      const body = textBody(text)
      const conditionalOptions = replace
        ? {}
        : { headers: { 'if-none-match': '*' }, allowedStatuses: [NAME_TAKEN_STATUS] }
      await (
        await requests.send({ method: 'PUT', key: BUCKET_INSTANCE_KEY, body, ...conditionalOptions })
      ).text()
    },

    probe: () =>
      probeScratch(staging, async (file, content) => {
        const name = `${PROBE_PREFIX}${newId()}`
        await objects.put(file, name, content)
        try {
          await cache.probe(file, name, content)
        } finally {
          await remove(name)
        }
      }),

    async close() {
      await cache.close()
      await staging.close()
    },
  }
}
