/**
 * Two instances on one PostgreSQL database and one bucket, each with its own folder, and a store that becomes
 * unavailable.
 */
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, remove, store, upload } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { type Ceph, startCeph } from '../support/ceph.ts'
import { png } from '../support/pictures.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { makeBucket } from '../support/s3.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(120_000)

let ceph: Ceph | undefined
let postgres: PostgresServer | undefined
let environment: Record<string, string>
let [one, other]: Service[] = []
let token: string

beforeEach(async () => {
  if (other) return
  ceph ??= await startCeph()
  environment = await freshEnvironment(ceph)
  one = await startService({ mode: 'embedded', env: environment })
  other = await startService({ mode: 'embedded', env: environment })
  token = await one.createToken('--may-delete')
})
afterAll(async () => {
  await one?.[Symbol.asyncDispose]()
  await other?.[Symbol.asyncDispose]()
  await ceph?.[Symbol.asyncDispose]()
  await postgres?.stop()
})

async function freshEnvironment({ place }: Ceph) {
  postgres ??= await startPostgres()
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = await makeBucket(place)
  return {
    DATABASE_URL: await postgres.createDatabase(),
    FUNDUS_TEST_UNFLUSHED: '1',
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    PUBLIC_URL: 'http://localhost',
  }
}

test('what one instance stores the other sends, with length and ranges, and a picture with its preview', async () => {
  const bytes = randomBytes(1, 3_000_000)
  await store(one!, token, 'a/large.bin', bytes)
  const part = await read(other!, 'a/large.bin', { Range: 'bytes=1000-1999' })
  expect([part.status, part.headers.get('Content-Length'), part.headers.get('Content-Range')]).toEqual([
    206,
    '1000',
    'bytes 1000-1999/3000000',
  ])
  expectSameBytes(await bytesOf(part), bytes.subarray(1000, 2000))
  const whole = await read(other!, 'a/large.bin')
  expect(whole.headers.get('Content-Length')).toBe('3000000')
  expectSameBytes(await bytesOf(whole), bytes)
  await store(one!, token, 'a/picture.png', await png())
  await eventually('the preview at the other instance', async () => {
    const preview = await fetch(`${other!.url}/t/a/picture.png.webp`)
    return preview.ok && preview.headers.get('Content-Type') === 'image/webp'
  })
})

test('a file that is larger than the cache of a machine has its length too, whole and in part', async () => {
  // The runtime's own server sends a stream without its length.
  const large = { ...environment, MAX_UPLOAD_MB: '70', CACHE_MB: '64', HTTP_SERVER: 'fundus' }
  await using service = await startService({ mode: 'embedded', env: large })
  const bytes = randomBytes(2, 68_000_000)
  await store(service, token, 'a/larger.bin', bytes)
  const whole = await read(service, 'a/larger.bin')
  expect(whole.headers.get('Content-Length')).toBe('68000000')
  expectSameBytes(await bytesOf(whole), bytes)
  const part = await read(service, 'a/larger.bin', { Range: 'bytes=10-' })
  expect([part.status, part.headers.get('Content-Length')]).toEqual([206, '67999990'])
  expectSameBytes(await bytesOf(part), bytes.subarray(10))
})

test('what one instance replaces or removes the other never sends again', async () => {
  await store(one!, token, 'changed.txt', 'before')
  expect(await (await read(other!, 'changed.txt')).text()).toBe('before')
  await store(other!, token, 'changed.txt', 'after')
  expect(await (await read(one!, 'changed.txt')).text()).toBe('after')
  expect((await remove(one!, token, 'changed.txt')).status).toBe(200)
  await expectError(await read(other!, 'changed.txt'), 404)
})

test('a gateway that is killed: 503 with a sentence, cached files stay, and all is well again by itself', async () => {
  await store(one!, token, 'kept/cached.bin', randomBytes(2, 200_000))
  await ceph!.killGateway()
  try {
    await expectError(await upload(one!, token, 'x', { 'X-Path': 'lost.txt' }), 503, /Objektspeicher/)
    await expectError(await read(other!, 'kept/cached.bin'), 503, /Objektspeicher/)
    expectSameBytes(await bytesOf(await read(one!, 'kept/cached.bin')), randomBytes(2, 200_000))
    expect((await fetch(`${one!.url}/status`)).status).toBe(503)
  } finally {
    await ceph!.startGateway()
  }
  expectSameBytes(await bytesOf(await read(other!, 'kept/cached.bin')), randomBytes(2, 200_000))
  await store(one!, token, 'lost.txt', 'x')
})

describe('a start is refused with a sentence', () => {
  const refused = async (changes: Record<string, string>) => {
    const start = startService({ mode: 'embedded', env: { ...environment, ...changes } })
    const error = await start.then(
      service => service[Symbol.asyncDispose]().then(() => 'started'),
      (reason: Error) => reason.message,
    )
    return error
  }

  test('where the key is wrong, the bucket is gone, or it belongs to another database', async () => {
    expect(await refused({ S3_SECRET_ACCESS_KEY: 'wrong' })).toContain('weist den Schlüssel ab')
    expect(await refused({ S3_BUCKET: 'no-such-bucket' })).toContain(
      'gibt es den Bucket no-such-bucket nicht',
    )
    const { DATABASE_URL } = await freshEnvironment(ceph!)
    expect(await refused({ DATABASE_URL })).toContain('gehört zu einer anderen Datenbank')
  })

  test('where only a part of it is configured', async () => {
    expect(await refused({ S3_REGION: '' })).toContain('Es fehlt S3_REGION')
  })
})
