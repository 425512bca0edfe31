/** Rules of the object store alone, with a real store that is killed, paused, cut off and full. */
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf, randomBytes } from '../../../test/support/bytes.ts'
import { type Ceph, SMALL_KEY, startCeph } from '../../../test/support/ceph.ts'
import { useFolder } from '../../../test/support/folder.ts'
import { type Bucket, makeBucket, signedFetch } from '../../../test/support/s3.ts'
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts'
import { newId } from '../../base/ids.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { type Storage, StorageFullError, StorageUnavailableError } from '../storage.ts'
import { BucketError, claimBucket } from './instance.ts'
import { PART_SIZE } from './multipart.ts'
import { createS3Requests, type RequestLimits } from './requests.ts'
import { createS3Storage } from './s3.ts'

setDefaultTimeout(60_000)

const LIMITS: RequestLimits = {
  answerTimeout: 5_000,
  totalTimeout: 7_000,
  idleTimeout: 400,
  retryPauses: [50, 100],
}
/** For a store that does not answer at all. */
const HASTY: RequestLimits = { ...LIMITS, answerTimeout: 200 }
/** Milliseconds for all attempts of one request, with a margin for a busy machine. */
const DEADLINE = 8_000

const root = await useFolder()
let ceph: Ceph
let bucket: Bucket
let proxy: TcpProxy
/** A store that is reached through the proxy. */
let storage: Storage
let folders = 0

beforeEach(async () => {
  if (ceph) return
  ceph = await startCeph()
  bucket = await makeBucket(ceph.place)
  proxy = await startTcpProxy({ port: Number(new URL(bucket.endpoint).port) })
  storage = await open({ endpoint: `http://127.0.0.1:${proxy.port}` })
})
afterAll(async () => {
  await storage?.close()
  await proxy?.[Symbol.asyncDispose]()
  await ceph?.[Symbol.asyncDispose]()
})

function open(changes: Partial<Bucket> = {}, limits = LIMITS) {
  const requests = createS3Requests({ ...bucket, ...changes }, limits)
  const folder = join(root, `store-${folders++}`)
  return createS3Storage({ requests, root: folder, cacheBytes: 100 * MEGABYTE, newId })
}

async function put(name: string, bytes: Uint8Array, into = storage): Promise<void> {
  const staging = await into.stage()
  try {
    await staging.write(bytes)
    await into.commit(staging, name, contentOf(bytes))
  } finally {
    await staging.discard()
  }
}

/** Puts an object without the storage under test, so that its cache does not know it. */
async function putElsewhere(name: string, bytes: Uint8Array): Promise<void> {
  const other = await open()
  await put(name, bytes, other)
  await other.close()
}
const get = async (name: string, from = storage) => (await from.open(name))?.bytes()
const cachedFiles = async () => {
  const files = await readdir(join(root, 'store-0', 'cache'), { recursive: true, withFileTypes: true })
  return files.filter(entry => entry.isFile() && !entry.name.startsWith('index.db')).length
}
/**
 * Checks that `work` rejects because the store cannot be reached, within the deadline, and leaves nothing in
 * cache or staging.
 */
async function expectUnavailable(work: () => Promise<unknown>): Promise<void> {
  const before = await cachedFiles()
  const begun = Date.now()
  const error = await work().catch(e => e)
  expect(error).toBeInstanceOf(StorageUnavailableError)
  expect(Date.now() - begun).toBeLessThan(DEADLINE)
  expect([await cachedFiles(), await readdir(storage.scratch)]).toEqual([before, []])
}

describe('a gateway that fails', () => {
  test.each([
    ['small', 10_000],
    ['large', 3 * MEGABYTE],
  ])(
    'killed: a %s object is refused in time, and there again afterwards; a cached one stays readable',
    async (size, length) => {
      const bytes = randomBytes(1, length)
      await putElsewhere(`files/killed-${size}~1.bin`, bytes)
      await put(`files/cached-${size}~1.bin`, bytes)
      await ceph.killGateway()
      try {
        await expectUnavailable(() => get(`files/killed-${size}~1.bin`))
        await expectUnavailable(() => put('files/never~1.bin', bytes))
        expect(await get(`files/cached-${size}~1.bin`)).toEqual(bytes)
      } finally {
        await ceph.startGateway()
      }
      expect(await get(`files/killed-${size}~1.bin`)).toEqual(bytes)
      expect(await storage.measure('files/never~1.bin')).toBeNull()
    },
  )

  test('paused: reading, writing, removing and measuring are refused in time', async () => {
    const bytes = randomBytes(2, 10_000)
    await putElsewhere('files/paused~1.bin', bytes)
    const hasty = await open({}, HASTY)
    ceph.pauseGateway()
    try {
      await expectUnavailable(() => get('files/paused~1.bin', hasty))
      await expectUnavailable(() => put('files/late~1.bin', bytes, hasty))
      await expectUnavailable(() => hasty.remove('files/paused~1.bin'))
      await expectUnavailable(() => hasty.measure('files/paused~1.bin'))
      await expectUnavailable(() => hasty.probe())
      expect(await readdir(hasty.scratch)).toEqual([])
    } finally {
      ceph.resumeGateway()
    }
    await storage.probe()
    await hasty.close()
  })
})

test('a store that accepts connections and never answers: all tries share one deadline', async () => {
  let tries = 0
  using silent = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: () => void tries++ },
  })
  const place = { ...bucket, endpoint: `http://127.0.0.1:${silent.port}` }
  const limits = { ...LIMITS, answer: 300, pauses: [1, 1] }
  const refused = (allAttempts: number) =>
    createS3Requests(place, { ...limits, totalTimeout: allAttempts })
      .send({ method: 'GET', key: 'files/a~1.bin' })
      .catch(error => error)
  expect(await refused(400)).toBeInstanceOf(StorageUnavailableError)
  // The first attempt took most of the time, so no third one began.
  expect(tries).toBeLessThan(3)
  tries = 0
  expect(await refused(60_000)).toBeInstanceOf(StorageUnavailableError)
  expect(tries).toBe(3)
})

describe('an answer that does not come whole', () => {
  test.each([
    ['cut', 50_000, 10_000],
    ['cut', 3 * MEGABYTE, 50_000],
    ['hold', 3 * MEGABYTE, 50_000],
  ] as const)(
    '%s, of %p bytes after %p: refused in time, nothing cached, and well afterwards',
    async (then, length, after) => {
      const name = `files/torn-${then}-${length}~1.bin`
      const bytes = randomBytes(3, length)
      await putElsewhere(name, bytes)
      proxy.limit(after, then)
      try {
        await expectUnavailable(() => get(name))
      } finally {
        proxy.limit(null)
      }
      expect(await get(name)).toEqual(bytes)
    },
  )

  test('cut once: goes on where it broke off', async () => {
    const bytes = randomBytes(4, 3 * MEGABYTE)
    await putElsewhere('files/once~1.bin', bytes)
    const before = proxy.requests.length
    proxy.limit(MEGABYTE)
    setTimeout(() => proxy.limit(null), 60)
    expect(await get('files/once~1.bin')).toEqual(bytes)
    expect(proxy.requests.slice(before).filter(line => line.startsWith('GET')).length).toBeGreaterThan(1)
  })
})

describe('bytes that are not those that were stored', () => {
  test.each([10_000, 3 * MEGABYTE])(
    '%p bytes, one changed on the way: an error, and no name in the cache',
    async length => {
      const bytes = randomBytes(5, length).fill(65)
      const name = `files/changed-${length}~1.bin`
      await putElsewhere(name, bytes)
      const before = await cachedFiles()
      proxy.alter(chunk => {
        const at = chunk.lastIndexOf('AAAA')
        if (at >= 0) chunk[at] = 66
        return chunk
      })
      try {
        await expect(get(name)).rejects.toThrow('damaged')
      } finally {
        proxy.alter(null)
      }
      expect([await cachedFiles(), await readdir(storage.scratch)]).toEqual([before, []])
      expect(await get(name)).toEqual(bytes)
    },
  )

  test.each([9_999, 10_001])(
    '%p bytes in the place of 10000: an error, and no name in the cache',
    async length => {
      const name = `files/length-${length}~1.bin`
      await putElsewhere(name, randomBytes(6, 10_000))
      const { sha256 } = contentOf(randomBytes(6, 10_000))
      const init = { method: 'PUT', body: randomBytes(6, length), headers: { 'x-amz-meta-sha256': sha256 } }
      expect((await signedFetch(bucket, `${bucket.endpoint}/${bucket.bucket}/${name}`, init)).status).toBe(
        200,
      )
      const before = await cachedFiles()
      await expect(get(name)).rejects.toThrow('damaged')
      expect(await cachedFiles()).toBe(before)
    },
  )
})

describe('giving a name', () => {
  test('an answer that is lost does not matter: the next try finds its own object', async () => {
    const bytes = randomBytes(7, 20_000)
    proxy.limit(10)
    setTimeout(() => proxy.limit(null), 60)
    await put('files/lost~1.bin', bytes)
    expect(await storage.measure('files/lost~1.bin')).toBe(20_000)
  })

  test('a name that has other bytes keeps them, and the caller learns it', async () => {
    await put('files/taken~1.bin', randomBytes(8, 1000))
    await expect(put('files/taken~1.bin', randomBytes(9, 1000))).rejects.toThrow('other bytes')
    expect(await get('files/taken~1.bin')).toEqual(randomBytes(8, 1000))
  })

  test('bytes that are not as was said are refused by the store', async () => {
    const staging = await storage.stage()
    await staging.write(randomBytes(10, 1000))
    const wrong = { size: 1000, sha256: contentOf('something else').sha256 }
    await expect(storage.commit(staging, 'files/wrong~1.bin', wrong)).rejects.toThrow('refuses')
    await staging.discard()
    expect(await storage.measure('files/wrong~1.bin')).toBeNull()
  })

  test('a full store is a full store', async () => {
    const small = await makeBucket({ ...ceph.place, ...SMALL_KEY })
    const other = await open(small)
    const error = await put('files/full~1.bin', randomBytes(11, 2 * MEGABYTE), other).catch(e => e)
    expect(error).toBeInstanceOf(StorageFullError)
    await put('files/fits~1.bin', randomBytes(11, 1000), other)
    await other.close()
  })
})

describe('a large object, in parts', () => {
  const bytes = randomBytes(12, 2 * PART_SIZE + 1234)

  test('is read back whole, with its hash, by another machine', async () => {
    await put('files/large~1.bin', bytes)
    const other = await open()
    expect(contentOf((await get('files/large~1.bin', other))!)).toEqual(contentOf(bytes))
    await other.close()
  })

  test('fails as a whole: no object, and nothing left of its parts', async () => {
    await storage.removeUnfinished(-1000)
    const staging = await storage.stage()
    await staging.write(bytes)
    // The content is shorter than announced, so the third part cannot be read.
    const said = { ...contentOf(bytes), size: bytes.length + PART_SIZE }
    await expect(storage.commit(staging, 'files/broken~1.bin', said)).rejects.toThrow('shorter')
    await staging.discard()
    expect(await storage.measure('files/broken~1.bin')).toBeNull()
    expect(await storage.removeUnfinished(-1000)).toBe(0)
  })

  test('what broke off with its process goes once it is old enough', async () => {
    await storage.removeUnfinished(-1000)
    const url = `${bucket.endpoint}/${bucket.bucket}`
    for (const name of ['files/gone~1.bin', 'files/a b~2.bin'])
      expect((await signedFetch(bucket, `${url}/${name}?uploads`, { method: 'POST' })).status).toBe(200)
    expect(await storage.removeUnfinished(60_000)).toBe(0)
    expect(await storage.removeUnfinished(-1000)).toBe(2)
    expect(await storage.removeUnfinished(-1000)).toBe(0)
  })
})

describe('a bucket belongs to one database', () => {
  const claim = (place: Partial<Bucket>, id: string) =>
    claimBucket(createS3Requests({ ...bucket, ...place }, LIMITS), id)
  const troubleOf = (claiming: Promise<void>) =>
    claiming.then(
      () => null,
      error => (error instanceof BucketError ? error.problem : error),
    )
  const trouble = (place: Partial<Bucket>, id = 'one') => troubleOf(claim(place, id))

  test('the first to come marks it, also of several at once; another database is refused', async () => {
    const fresh = await makeBucket(ceph.place)
    const ids = ['one', 'two', 'three', 'one']
    const claims = await Promise.all(ids.map(id => trouble(fresh, id)))
    const winners = new Set(ids.filter((_, at) => claims[at] === null))
    expect(winners.size).toBe(1)
    const [winner = ''] = winners
    expect(await trouble(fresh, winner)).toBeNull()
    expect(await trouble(fresh, 'another')).toBe('foreign')
  })

  test('wrong key, no bucket, no answer, a clock that is wrong: each is told apart', async () => {
    expect(await trouble({ secretAccessKey: 'wrong' })).toBe('key')
    expect(await trouble({ accessKeyId: 'nobody' })).toBe('key')
    expect(await trouble({ bucket: 'no-such-bucket' })).toBe('bucket')
    expect(await trouble({ endpoint: 'http://127.0.0.1:9' })).toBe('silent')
    const ahead = createS3Requests(bucket, LIMITS, () => Date.now() + 3_600_000)
    expect(await troubleOf(claimBucket(ahead, 'one'))).toBe('clock')
  })
})
