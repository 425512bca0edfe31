/**
 * The mark that a bucket belongs to one database. Two databases on one bucket would sweep each other's files away, since
 * neither has rows for the objects of the other.
 */
import type { S3Error, S3Requests } from './s3-requests.ts'
import { StorageUnavailableError } from './storage.ts'

const MARK = 'fundus-instanz'
const ABSENT = 404
const TAKEN = 412

export type BucketTrouble = 'key' | 'bucket' | 'silent' | 'foreign'

/** Why a bucket cannot be used by this instance. */
export class BucketError extends Error {
  constructor(
    readonly trouble: BucketTrouble,
    options?: ErrorOptions,
  ) {
    super(`the bucket cannot be used: ${trouble}`, options)
  }
}

/** Marks a bucket that has no mark yet. Rejects with `BucketError` when it bears the mark of another database. */
export async function claimBucket({ send }: S3Requests, instance: string): Promise<void> {
  const bytes = new TextEncoder().encode(instance)
  const body = { bytes, size: bytes.length, sha256: Bun.SHA256.hash(bytes, 'hex') }
  try {
    const found = await send({ method: 'GET', key: MARK, allowed: [ABSENT] })
    const text = await found.text()
    if (found.status === ABSENT && !text.includes('<Code>NoSuchBucket</Code>')) {
      const headers = { 'if-none-match': '*' }
      const made = await send({ method: 'PUT', key: MARK, headers, body, allowed: [TAKEN] })
      await made.text()
      // Another process was quicker: whose mark it set is seen by looking again.
      if (made.status === TAKEN) await claimBucket({ send }, instance)
      return
    }
    if (found.status === ABSENT) throw new BucketError('bucket')
    if (text !== instance) throw new BucketError('foreign')
  } catch (error) {
    throw error instanceof StorageUnavailableError
      ? new BucketError(troubleOf(error), { cause: error })
      : error
  }
}

function troubleOf(error: StorageUnavailableError & Partial<S3Error>): BucketTrouble {
  if (error.code === 'NoSuchBucket' || error.status === 404) return 'bucket'
  // Below 500 the store has understood and does not want to: wrong key, wrong region, wrong time.
  return error.status !== undefined && error.status < 500 ? 'key' : 'silent'
}
