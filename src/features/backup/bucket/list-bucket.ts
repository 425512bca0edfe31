/** Lists the archives in the bucket for pages and checks, at most once a minute. */
import { MINUTE } from '../../../contract/values/units.ts'
import type { FoundArchive } from '../places/place.ts'
import { type BucketTarget, bucketName, isComplete } from './bucket-target.ts'

export interface ListBucketParts {
  /** The bucket in force. */
  target: () => BucketTarget | null
  now: () => number
}

export function createListBucket({ target, now }: ListBucketParts) {
  let last: { name: string; at: number; found: Promise<FoundArchive[] | null> } | null = null

  /** Loaded when needed: few instances have a bucket. */
  async function list(bucket: BucketTarget): Promise<FoundArchive[] | null> {
    const { archivesAt } = await import('./bucket-place.ts')
    return archivesAt(bucket, now).catch(() => null)
  }

  return {
    /** Newest first; empty if it is no longer the bucket in force, null if it does not answer. */
    list(name: string): Promise<FoundArchive[] | null> {
      const bucket = target()
      if (bucket === null || !isComplete(bucket) || bucketName(bucket) !== name) return Promise.resolve([])
      const age = last === null ? Number.POSITIVE_INFINITY : now() - last.at
      if (last?.name !== name || age < 0 || age >= MINUTE) last = { name, at: now(), found: list(bucket) }
      return last.found
    },
    /** The next call lists the bucket again; for after a run. */
    forget() {
      last = null
    },
  }
}
