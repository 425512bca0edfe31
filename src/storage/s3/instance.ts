/**
 * Records in a bucket which database it belongs to. Two databases on one bucket would remove each other's
 * files as orphans, since neither database has rows for the other's objects.
 */

import { StorageUnavailableError } from '../storage.ts'
import { type S3Error, type S3Requests, textBody } from './requests.ts'

const INSTANCE_MARK = 'fundus-instanz'
const NOT_FOUND = 404
const NAME_TAKEN_STATUS = 412

export type BucketProblem = 'key' | 'clock' | 'bucket' | 'silent' | 'foreign'

export class BucketError extends Error {
  constructor(
    readonly problem: BucketProblem,
    options?: ErrorOptions,
  ) {
    super(`the bucket cannot be used: ${problem}`, options)
  }
}

/**
 * Claims a bucket for a database, unless it belongs to that database already. Rejects with `BucketError` if
 * it belongs to another one or cannot be used.
 */
export async function claimBucket(requests: S3Requests, instanceId: string): Promise<void> {
  const instanceMark = await readInstanceMark(requests)
  if (instanceMark === instanceId) return
  if (instanceMark !== null) throw new BucketError('foreign')
  const body = textBody(instanceId)
  const headers = { 'if-none-match': '*' }
  const isTaken = await withBucketErrors(async () => {
    const answer = await requests.send({
      method: 'PUT',
      key: INSTANCE_MARK,
      headers,
      body,
      allowedStatuses: [NAME_TAKEN_STATUS],
    })
    await answer.text()
    return answer.status === NAME_TAKEN_STATUS
  })
  // In the meantime the bucket was claimed: by another process, or by an attempt of this process whose answer
  // was lost. So the owner of the bucket is checked again.
  if (isTaken) await claimBucket(requests, instanceId)
}

/**
 * The id of the database to which the bucket belongs; null if it belongs to none yet. Rejects with
 * `BucketError` if the bucket cannot be used.
 */
export const readInstanceMark = ({ send }: S3Requests): Promise<string | null> =>
  withBucketErrors(async () => {
    const answer = await send({ method: 'GET', key: INSTANCE_MARK, allowedStatuses: [NOT_FOUND] })
    const text = await answer.text()
    if (answer.status !== NOT_FOUND) return text
    if (text.includes('<Code>NoSuchBucket</Code>')) throw new BucketError('bucket')
    return null
  })

const withBucketErrors = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(error => {
    throw error instanceof StorageUnavailableError
      ? new BucketError(problemOf(error), { cause: error })
      : error
  })

function problemOf(error: StorageUnavailableError & Partial<S3Error>): BucketProblem {
  if (error.code === 'NoSuchBucket' || error.status === 404) return 'bucket'
  if (error.code === 'RequestTimeTooSkewed') return 'clock'
  // With a status below 500 the store has understood the request and refuses it: wrong key or wrong region.
  return error.status !== undefined && error.status < 500 ? 'key' : 'silent'
}
