/** Lists the archives of a bucket and tests it, for pages and health checks, which do not wait for long. */
import { generateX25519Identity } from 'age-encryption'
import { backupTrouble } from '../../../errors/errors.ts'
import { createBucketFiles } from '../../../storage/s3/bucket-files.ts'
import { createS3Requests, type RequestLimits } from '../../../storage/s3/requests.ts'
import type { FoundArchive } from '../places/place.ts'
import { findArchives } from './bucket-archives.ts'
import { type BucketTarget, bucketName, isFullyConfigured } from './bucket-target.ts'
import { openSealing } from './open-sealing.ts'
import { withReadableError } from './readable-errors.ts'
import { createSealing, NO_SEALING } from './sealing.ts'

/** Limits in milliseconds for pages and health checks, which must be answered within a few seconds. */
const SHORT_REQUEST_LIMITS: RequestLimits = {
  answerTimeout: 3_000,
  totalTimeout: 4_000,
  idleTimeout: 3_000,
  retryPauses: [200],
}

const PROBE_FILE = 'probe'
const PROBE_BYTES = Buffer.from('fundus')

const openBucketFiles = (target: BucketTarget, now: () => number) =>
  createBucketFiles(createS3Requests(target, SHORT_REQUEST_LIMITS, now), target)

/** Tests the bucket. Rejects with `BackupTrouble` if no backup could be stored in it. */
export async function probeBucket(target: BucketTarget, now: () => number): Promise<void> {
  const name = bucketName(target)
  if (!isFullyConfigured(target)) throw backupTrouble.bucketIncomplete(name)
  const files = openBucketFiles(target, now)
  await withReadableError(name, async () => {
    await openSealing(files, { ...target, targetName: name, createKey: false })
    await files.write(PROBE_FILE, probeContent(), PROBE_BYTES.length)
    await files.remove([PROBE_FILE])
  })
}

async function* probeContent(): AsyncGenerator<Uint8Array> {
  yield PROBE_BYTES
}

/**
 * Lists the archives in the bucket, newest first. Does not open the key: the length of an encrypted file is
 * the same for every key, so a newly generated key is enough to compute the plain lengths.
 */
export async function listBucketArchives(target: BucketTarget, now: () => number): Promise<FoundArchive[]> {
  const sealing = target.password === '' ? NO_SEALING : await createSealing(await generateX25519Identity())
  return findArchives(openBucketFiles(target, now), sealing)
}
