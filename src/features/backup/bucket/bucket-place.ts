/**
 * A backup target that is a bucket of an S3-compatible store, laid out like a target folder. With a password,
 * archives and contents are encrypted, and their names end in `.age`. A store shows only complete files.
 */
import type { NewId } from '../../../base/ids.ts'
import { DAY, MINUTE, SECOND } from '../../../contract/values/units.ts'
import { backupTrouble } from '../../../errors/errors.ts'
import { createBucketFiles } from '../../../storage/s3/bucket-files.ts'
import { createS3Requests, type RequestLimits } from '../../../storage/s3/requests.ts'
import type { Place } from '../places/place.ts'
import { createBucketArchives } from './bucket-archives.ts'
import { createBucketStock } from './bucket-stock.ts'
import { type BucketTarget, bucketName, isFullyConfigured } from './bucket-target.ts'
import { openSealing } from './open-sealing.ts'
import { placeWithReadableErrors, withReadableError } from './readable-errors.ts'

export interface BucketPlaceParts {
  target: BucketTarget
  /** The local folder for a temporary copy of an archive while the archive is read. */
  scratch: string
  newId: NewId
  now: () => number
  signal?: AbortSignal
  limits?: RequestLimits
  /** Whether to create the key if an encrypted bucket has none yet. */
  createKey: boolean
  keySettlingTime?: number
}

/**
 * Age in milliseconds at which the next run removes an unfinished upload. It is long because a backup run may
 * take some days.
 */
const MAX_UNFINISHED_UPLOAD_AGE = 3 * DAY

/**
 * The default limits, for long operations such as backups and restores. Requests are repeated for about 15
 * minutes, so that a short outage does not make them fail.
 */
const DEFAULT_LIMITS: RequestLimits = {
  answerTimeout: MINUTE,
  totalTimeout: 15 * MINUTE,
  idleTimeout: MINUTE,
  retryPauses: [
    ...[1, 2, 5, 10, 30].map(seconds => seconds * SECOND),
    ...Array.from({ length: 14 }, () => MINUTE),
  ],
}

/**
 * Opens the bucket as a target. Rejects with `BackupTrouble` if its settings are incomplete, `openSealing`
 * refuses the password, or the store cannot be used. Every operation of the returned target also rejects with
 * `BackupTrouble` if the store cannot be used.
 */
export async function openBucketPlace(parts: BucketPlaceParts): Promise<Place> {
  const { target, scratch, newId, now, signal, limits = DEFAULT_LIMITS } = parts
  const name = bucketName(target)
  if (!isFullyConfigured(target)) throw backupTrouble.bucketIncomplete(name)
  const files = createBucketFiles(createS3Requests(target, limits, now, signal), target)
  const sealing = await withReadableError(name, () =>
    openSealing(files, { ...target, ...parts, targetName: name }),
  )
  return placeWithReadableErrors({
    name,
    async prepare() {
      await files.removeUnfinished(now() - MAX_UNFINISHED_UPLOAD_AGE)
    },
    freeBytes: async () => null,
    ...createBucketArchives({ files, sealing, scratch, newId }),
    ...createBucketStock(files, sealing),
  })
}
