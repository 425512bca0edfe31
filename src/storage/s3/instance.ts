/**
 * Records in a bucket which database it belongs to. Two databases on one bucket would sweep each other's
 * files, since neither database has rows for the other's objects.
 */

import { StorageUnavailableError } from '../storage.ts'
import { type S3Error, type S3Requests, textBody } from './requests.ts'

const MARK = 'fundus-instanz'
const ABSENT = 404
const NAME_TAKEN = 412

export type BucketTrouble = 'key' | 'clock' | 'bucket' | 'silent' | 'foreign'

export class BucketError extends Error {
  constructor(
    readonly trouble: BucketTrouble,
    options?: ErrorOptions,
  ) {
    super(`the bucket cannot be used: ${trouble}`, options)
  }
}

/**
 * Claims a bucket that belongs to no database yet. Rejects with `BucketError` if it belongs to another
 * database.
 */
export async function claimBucket(requests: S3Requests, instance: string): Promise<void> {
  const mark = await markOf(requests)
  if (mark === instance) return
  if (mark !== null) throw new BucketError('foreign')
  const body = textBody(instance)
  const headers = { 'if-none-match': '*' }
  const taken = await withBucketErrors(async () => {
    const made = await requests.send({ method: 'PUT', key: MARK, headers, body, allowed: [NAME_TAKEN] })
    await made.text()
    return made.status === NAME_TAKEN
  })
  // Another process was faster, so the owner of the bucket is checked again.
  if (taken) await claimBucket(requests, instance)
}

/**
 * The id of the database to which the bucket belongs; null if it belongs to none yet. Rejects with
 * `BucketError`.
 */
export const markOf = ({ send }: S3Requests): Promise<string | null> =>
  withBucketErrors(async () => {
    const found = await send({ method: 'GET', key: MARK, allowed: [ABSENT] })
    const text = await found.text()
    if (found.status !== ABSENT) return text
    if (text.includes('<Code>NoSuchBucket</Code>')) throw new BucketError('bucket')
    return null
  })

const withBucketErrors = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(error => {
    throw error instanceof StorageUnavailableError
      ? new BucketError(troubleOf(error), { cause: error })
      : error
  })

function troubleOf(error: StorageUnavailableError & Partial<S3Error>): BucketTrouble {
  if (error.code === 'NoSuchBucket' || error.status === 404) return 'bucket'
  if (error.code === 'RequestTimeTooSkewed') return 'clock'
  // With a status below 500 the store has understood the request and refuses it: wrong key or wrong region.
  return error.status !== undefined && error.status < 500 ? 'key' : 'silent'
}
