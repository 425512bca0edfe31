/**
 * Abandoned resumable uploads leave nothing on the object store: no part, no tail, no unfinished multipart
 * upload.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from '../support/bytes.ts'
import { findCeph } from '../support/ceph.ts'
import { onDatabase } from '../support/data-folder.ts'
import { findPostgres } from '../support/postgres.ts'
import { type Bucket, listBucket, signedFetch } from '../support/s3.ts'
import { type Service, startService } from '../support/service.ts'
import { newPlace } from '../support/shared-place.ts'
import { needsTool } from '../support/tools.ts'
import { askUpload, bearer, createUpload, creation, pieceAt } from '../support/tus.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(300_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

const UPLOADS = 200
const MB = 1024 * 1024
const HOUR = 3_600_000
/** Every so many uploads one has filled a part of a multipart upload, and one has only a tail. */
const [EVERY_PART, EVERY_TAIL] = [50, 4]

/** The keys of multipart uploads that were begun and neither completed nor aborted. */
async function multipartUploads(bucket: Bucket): Promise<string[]> {
  const answer = await signedFetch(bucket, `${bucket.endpoint}/${bucket.bucket}?uploads`)
  return [...(await answer.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key!)
}

async function abandon(service: Service, token: string, number: number): Promise<void> {
  const made = await createUpload(service, bearer(token), creation(40 * MB, { pfad: `left/${number}.bin` }))
  expect(made.status).toBe(201)
  const length = number % EVERY_PART === 0 ? 17 * MB : number % EVERY_TAIL === 0 ? 1000 : 0
  if (length === 0) return
  const piece = randomBytes(number, length)
  const headers = { ...pieceAt(0), ...bearer(token) }
  expect((await askUpload(service, 'PATCH', made.headers.get('location')!, headers, piece)).status).toBe(204)
}

test('200 abandoned uploads leave nothing on the object store a day later, and everything before', async () => {
  const place = await newPlace()
  await using service = await startService({
    mode: 'shared',
    place,
    instances: 1,
    env: { MAX_UPLOAD_MB: '100' },
  })
  const rows = async () => {
    const sql = 'select count(*) as n from partial_upload'
    return Number((await onDatabase<{ n: number }>(service.dataDir, sql))[0]!.n)
  }
  const tails = async () => (await listBucket(place.bucket)).filter(name => name.startsWith('partial/'))
  // The rows are moved and not the clock: a store refuses signatures of another day.
  const age = (hours: number) =>
    onDatabase(service.dataDir, `update partial_upload set expires_at = expires_at - ${hours * HOUR}`)
  // One token may have 100 unfinished uploads.
  const tokens = [await service.createToken(), await service.createToken()]
  for (let at = 0; at < UPLOADS; at++) await abandon(service, tokens[at % 2]!, at)
  const left = async () => [
    await rows(),
    (await tails()).length,
    (await multipartUploads(place.bucket)).length,
  ]
  const tailed = UPLOADS / EVERY_TAIL + UPLOADS / EVERY_PART / 2
  const abandoned = [UPLOADS, tailed, UPLOADS / EVERY_PART]
  expect(await left()).toEqual(abandoned)

  await age(23)
  await service.restart()
  expect(await left()).toEqual(abandoned)
  await age(2)
  await service.restart()
  await eventually('the uploads are gone', async () => (await rows()) === 0)
  await eventually('nothing is left', async () => (await left()).every(count => count === 0))
})
