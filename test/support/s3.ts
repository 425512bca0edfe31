/**
 * Buckets of a real S3-compatible store, a fresh one per call. test/run.ts starts the store for all files of
 * a run; a file that runs alone starts its own with its first bucket.
 */
import { afterAll } from 'bun:test'
import { AwsClient } from 'aws4fetch'
import { type Ceph, findCeph, type S3Place, startCeph } from './ceph.ts'
import { outlastsFiles } from './remains.ts'
import { sharedPart } from './shared-parts.ts'
import { toolOrFail } from './tools.ts'

export interface Bucket extends S3Place {
  bucket: string
}

/** Call this at the top of a test file; returns a function that makes a bucket. */
export function useBuckets(): () => Promise<Bucket> {
  let own: Promise<Ceph> | undefined
  afterAll(async () => {
    await (await own?.catch(() => undefined))?.[Symbol.asyncDispose]()
  })
  return async () => {
    toolOrFail('radosgw', findCeph)
    const shared = await sharedPart('store')
    if (shared) {
      outlastsFiles(new URL(shared.endpoint).port)
      return makeBucket(shared)
    }
    own ??= startCeph()
    return makeBucket((await own).place)
  }
}

export async function makeBucket(place: S3Place): Promise<Bucket> {
  const bucket = `fundus-${crypto.randomUUID()}`
  const response = await signedFetch(place, `${place.endpoint}/${bucket}`, { method: 'PUT' })
  if (!response.ok) throw new Error(`no bucket: ${response.status} ${await response.text()}`)
  return { ...place, bucket }
}

/**
 * A request directly to the store, for examining it and for changing objects without the service's knowledge.
 */
export const signedFetch = (place: S3Place, url: string, init?: RequestInit) =>
  new AwsClient({ ...place, service: 's3', retries: 0 }).fetch(url, init)

/** The names of all objects in a bucket. */
export async function listBucket(bucket: Bucket): Promise<string[]> {
  const names: string[] = []
  for (let from = ''; ; ) {
    const query = new URLSearchParams({ 'list-type': '2', 'start-after': from })
    const response = await signedFetch(bucket, `${bucket.endpoint}/${bucket.bucket}?${query}`)
    const found = [...(await response.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name]) => name!)
    if (found.length === 0) return names
    names.push(...found)
    from = found.at(-1)!
  }
}
