/**
 * Lists the archives in the bucket. A listing is reused for a minute, or until this process ends a backup
 * run.
 */
import { MINUTE } from '../../../contract/values/units.ts'
import type { FoundArchive } from '../places/place.ts'
import { type BucketTarget, bucketName, isFullyConfigured } from './bucket-target.ts'

export interface BucketListerParts {
  /** Returns the bucket that the settings specify at the moment; null if they specify none. */
  currentBucket: () => BucketTarget | null
  now: () => number
}

export function createBucketLister({ currentBucket, now }: BucketListerParts) {
  let lastListing: { name: string; listedAt: number; archives: Promise<FoundArchive[] | null> } | null = null

  /**
   * Lists the archives; null if that fails. Loads the code for buckets only here, because few instances have
   * one.
   */
  async function listArchives(bucket: BucketTarget): Promise<FoundArchive[] | null> {
    const { listBucketArchives: archivesAt } = await import('./inspect-bucket.ts')
    return archivesAt(bucket, now).catch(() => null)
  }

  return {
    /**
     * The archives of the bucket with this name, newest first. Empty if the settings are incomplete, or
     * specify another bucket or none; null if the bucket cannot be listed.
     */
    list(name: string): Promise<FoundArchive[] | null> {
      const bucket = currentBucket()
      if (bucket === null || !isFullyConfigured(bucket) || bucketName(bucket) !== name)
        return Promise.resolve([])
      const age = lastListing === null ? Number.POSITIVE_INFINITY : now() - lastListing.listedAt
      if (lastListing?.name !== name || age < 0 || age >= MINUTE)
        lastListing = { name, listedAt: now(), archives: listArchives(bucket) }
      return lastListing.archives
    },
    /** Called after a backup run: the next call of `list` lists the bucket again. */
    forget() {
      lastListing = null
    },
  }
}
