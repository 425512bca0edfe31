/** Lists the archives in the bucket for pages and checks, at most once a minute. */
import { MINUTE } from '../../../contract/values/units.ts'
import type { FoundArchive } from '../places/place.ts'
import { type BucketTarget, bucketName, isComplete } from './bucket-target.ts'

export interface BucketListerParts {
  /** The bucket that the settings name now; null if there is none. */
  target: () => BucketTarget | null
  now: () => number
}

export function createBucketLister({ target, now }: BucketListerParts) {
  let last: { name: string; at: number; found: Promise<FoundArchive[] | null> } | null = null

  /** Loads the code for buckets only when it is needed, because few instances have a bucket. */
  async function list(bucket: BucketTarget): Promise<FoundArchive[] | null> {
    const { archivesAt } = await import('./bucket-place.ts')
    return archivesAt(bucket, now).catch(() => null)
  }

  return {
    /**
     * The archives of the bucket of this name, newest first. Empty if the settings no longer name this
     * bucket, null if it does not answer.
     */
    list(name: string): Promise<FoundArchive[] | null> {
      const bucket = target()
      if (bucket === null || !isComplete(bucket) || bucketName(bucket) !== name) return Promise.resolve([])
      const age = last === null ? Number.POSITIVE_INFINITY : now() - last.at
      if (last?.name !== name || age < 0 || age >= MINUTE) last = { name, at: now(), found: list(bucket) }
      return last.found
    },
    /** Called after a run: the next call of `list` lists the bucket again. */
    forget() {
      last = null
    },
  }
}
