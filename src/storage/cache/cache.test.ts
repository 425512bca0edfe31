/** The cache of an object store: what it fetches, shares, keeps and evicts, on a real store. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf, randomBytes } from '../../../test/support/bytes.ts'
import { useFolder } from '../../../test/support/folder.ts'
import { type Bucket, useBuckets } from '../../../test/support/s3.ts'
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts'
import { eventually } from '../../../test/support/wait.ts'
import { newId } from '../../base/ids.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { createS3Requests } from '../s3/requests.ts'
import { createS3Storage, type S3StorageParts } from '../s3/s3.ts'
import type { Storage, StoredObject } from '../storage.ts'
import { READER_GRACE_PERIOD } from './index.ts'

setDefaultTimeout(60_000)

const root = await useFolder()
const freshBucket = useBuckets()
const opened: Storage[] = []
let bucket: Bucket
let proxy: TcpProxy
let folders = 0

beforeEach(async () => {
  if (bucket) return
  bucket = await freshBucket()
  proxy = await startTcpProxy({ port: Number(new URL(bucket.endpoint).port) })
})
afterAll(async () => {
  for (const storage of opened) await storage.close()
  await proxy?.[Symbol.asyncDispose]()
})

const newRoot = () => join(root, `cache-${folders++}`)
const throughProxy = () => ({ ...bucket, endpoint: `http://127.0.0.1:${proxy.port}` })

async function open(options: Partial<S3StorageParts> = {}): Promise<Storage> {
  const requests = createS3Requests(throughProxy())
  const storage = await createS3Storage({
    ...{ requests, newId, root: newRoot(), cacheBytes: 100 * MEGABYTE },
    ...options,
  })
  opened.push(storage)
  return storage
}

async function put(name: string, bytes: Uint8Array, into: Storage): Promise<void> {
  const staging = await into.stage()
  await staging.write(bytes)
  await into.commit(staging, name, contentOf(bytes))
  await staging.discard()
}
const textOf = async (object: StoredObject | null) =>
  object && contentOf(new Uint8Array(await new Response(object.body).arrayBuffer())).sha256
const fetches = () => proxy.requests.filter(line => line.startsWith('GET')).length

/** The files in the cache. */
async function cachedFiles(at: string): Promise<{ path: string; size: number }[]> {
  const entries = await readdir(join(at, 'cache'), { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && !entry.name.startsWith('index.db'))
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return { path, size: (await stat(path)).size }
    }),
  )
}

test('a damaged index costs only the files of the cache', async () => {
  const at = newRoot()
  const bytes = randomBytes(1, 5000)
  const first = await open({ root: at })
  await put('files/index~1.bin', bytes, first)
  await textOf(await first.open('files/index~1.bin'))
  await first.close()
  const [index] = await Array.fromAsync(new Bun.Glob('cache/*/index.db').scan(at))
  await Bun.write(join(at, index!), 'damaged'.repeat(2000))
  const again = await open({ root: at })
  for (const _ of [1, 2])
    expect(await textOf(await again.open('files/index~1.bin'))).toBe(contentOf(bytes).sha256)
  await again.close()
  expect(await cachedFiles(at)).toHaveLength(1)
})

describe('many readers of an object that is missing', () => {
  test.each([
    ['small', 10_000],
    ['large', 2 * MEGABYTE],
  ])('%s: twenty at once cause one fetch, and later ones none', async (kind, length) => {
    const bytes = randomBytes(20, length)
    await put(`files/readers-${kind}~1.bin`, bytes, await open())
    const storage = await open()
    const before = fetches()
    const read = () => storage.open(`files/readers-${kind}~1.bin`).then(textOf)
    const all = await Promise.all(Array.from({ length: 20 }, read))
    expect(new Set(all)).toEqual(new Set([contentOf(bytes).sha256]))
    expect(fetches() - before).toBe(1)
    expect(await read()).toBe(contentOf(bytes).sha256)
    expect(fetches() - before).toBe(1)
  })

  test('absent: all are told so, and once more afterwards', async () => {
    const storage = await open()
    const all = await Promise.all(Array.from({ length: 5 }, () => storage.open('files/absent~1.bin')))
    expect(all).toEqual([null, null, null, null, null])
    expect(await storage.open('files/absent~1.bin')).toBeNull()
  })

  test('two storages on one folder, as two processes have: one fetch for both', async () => {
    const bytes = randomBytes(21, 2 * MEGABYTE)
    await put('files/both~1.bin', bytes, await open())
    const shared = newRoot()
    const [one, other] = [await open({ root: shared }), await open({ root: shared })]
    const before = fetches()
    const all = await Promise.all(
      [one, other, one, other].map(storage => storage.open('files/both~1.bin').then(textOf)),
    )
    expect(new Set(all)).toEqual(new Set([contentOf(bytes).sha256]))
    expect(fetches() - before).toBe(1)
  })
})

describe('a process that dies while it fetches', () => {
  /** Another process that begins to read an object and never finishes. */
  function reader(at: string, name: string) {
    const from = (file: string) => JSON.stringify(join(import.meta.dir, file))
    const code = `
      const { createS3Storage } = await import(${from('../s3/s3.ts')})
      const { createS3Requests } = await import(${from('../s3/requests.ts')})
      const { newId } = await import(${from('../../base/ids.ts')})
      const requests = createS3Requests(${JSON.stringify(throughProxy())})
      const storage = await createS3Storage({ requests, newId, root: ${JSON.stringify(at)}, cacheBytes: 1e8 })
      await storage.open(${JSON.stringify(name)})`
    return Bun.spawn([process.execPath, '-e', code], { stdio: ['ignore', 'inherit', 'inherit'] })
  }

  test('leaves nothing that has a name; the next reader fetches it whole', async () => {
    const bytes = randomBytes(22, 2 * MEGABYTE)
    await put('files/died~1.bin', bytes, await open())
    const shared = newRoot()
    const storage = await open({ root: shared })
    proxy.limit(MEGABYTE, 'hold')
    const child = reader(shared, 'files/died~1.bin')
    try {
      const staged = () => readdir(join(shared, 'staging'), { recursive: true })
      await eventually('bytes on their way', async () => (await staged()).length > 4)
    } finally {
      child.kill('SIGKILL')
      await child.exited
      proxy.limit(null)
    }
    expect(await cachedFiles(shared)).toEqual([])
    expect(await textOf(await storage.open('files/died~1.bin'))).toBe(contentOf(bytes).sha256)
    expect(await storage.clearStaging(1e9)).toBe(1)
  })
})

describe('a file in the cache that is not what it must be', () => {
  test.each([0, 5_000, 20_000])('cut to %p bytes: never sent, fetched anew', async length => {
    const bytes = randomBytes(23, 10_000)
    const at = newRoot()
    const storage = await open({ root: at })
    await put(`files/torn-${length}~1.bin`, bytes, storage)
    const [file] = await cachedFiles(at)
    await truncate(file!.path, length)
    expect(await textOf(await storage.open(`files/torn-${length}~1.bin`))).toBe(contentOf(bytes).sha256)
    await eventually('whole again', async () => (await cachedFiles(at))[0]?.size === 10_000)
  })

  test('a file that nobody entered is not sent', async () => {
    const at = newRoot()
    const storage = await open({ root: at })
    await put('files/foreign~1.bin', randomBytes(24, 1000), storage)
    const [file] = await cachedFiles(at)
    await storage.remove('files/foreign~1.bin')
    await Bun.write(file!.path, randomBytes(25, 1000))
    expect(await storage.open('files/foreign~1.bin')).toBeNull()
  })
})

describe('room', () => {
  const CAPACITY = 100_000
  let clock = 1_000_000
  const now = () => clock
  const sizes = async (at: string) => (await cachedFiles(at)).reduce((sum, { size }) => sum + size, 0)

  test('stays below its bound, and what was used least lately goes', async () => {
    const at = newRoot()
    const storage = await open({ root: at, cacheBytes: CAPACITY, now })
    const name = (n: number) => `files/room-${n}~1.bin`
    for (let n = 0; n < 20; n++) {
      await put(name(n), randomBytes(n, 10_000), storage)
      clock += READER_GRACE_PERIOD + 1
      // The first one is read repeatedly.
      await textOf(await storage.open(name(0)))
      clock += READER_GRACE_PERIOD + 1
      expect(await sizes(at)).toBeLessThanOrEqual(CAPACITY)
    }
    expect(await cachedFiles(at)).toHaveLength(10)
    const before = fetches()
    for (const n of [0, 19, 18]) await textOf(await storage.open(name(n)))
    expect(fetches() - before).toBe(0)
    await textOf(await storage.open(name(1)))
    expect(fetches() - before).toBe(1)
  })

  test('what was handed out a moment ago is not removed; what finds no room is sent all the same', async () => {
    const at = newRoot()
    const storage = await open({ root: at, cacheBytes: CAPACITY, now })
    const bytes = randomBytes(30, 60_000)
    await put('files/first~1.bin', bytes, storage)
    const first = await storage.open('files/first~1.bin')
    await put('files/second~1.bin', bytes, storage)
    expect(await sizes(at)).toBe(60_000)
    expect(await textOf(first)).toBe(contentOf(bytes).sha256)
    expect(await textOf(await storage.open('files/second~1.bin'))).toBe(contentOf(bytes).sha256)
  })

  test('two storages that fill one folder keep the bound together', async () => {
    const at = newRoot()
    const pair = [
      await open({ root: at, cacheBytes: CAPACITY, now }),
      await open({ root: at, cacheBytes: CAPACITY, now }),
    ]
    for (let n = 0; n < 30; n++) {
      await put(`files/pair-${n}~1.bin`, randomBytes(n, 9_000), pair[n % 2]!)
      clock += READER_GRACE_PERIOD + 1
      expect(await sizes(at)).toBeLessThanOrEqual(CAPACITY)
    }
    expect((await cachedFiles(at)).length).toBeGreaterThan(8)
  })

  test('an object larger than the cache is sent straight from the store, whole and in part', async () => {
    const at = newRoot()
    const storage = await open({ root: at, cacheBytes: CAPACITY, now })
    const bytes = randomBytes(31, MEGABYTE)
    await put('files/huge~1.bin', bytes, storage)
    expect(await textOf(await storage.open('files/huge~1.bin'))).toBe(contentOf(bytes).sha256)
    const part = await storage.open('files/huge~1.bin', { start: 500_000, end: 500_100 })
    expect([part?.size, await textOf(part)]).toEqual([
      MEGABYTE,
      contentOf(bytes.subarray(500_000, 500_100)).sha256,
    ])
    expect(await cachedFiles(at)).toEqual([])
  })
})

describe('the first byte of a large object', () => {
  const bytes = randomBytes(40, 4 * MEGABYTE)
  const name = 'files/first-byte~1.bin'

  test('waits for the last one no longer than the bound, then comes straight from the store, while the cache fills', async () => {
    await put(name, bytes, await open())
    const at = newRoot()
    const storage = await open({ root: at, fetchWait: 300 })
    proxy.limit(MEGABYTE, 'hold')
    const object = (await storage.open(name))!
    expect([object.size, await cachedFiles(at)]).toEqual([bytes.length, []])
    proxy.limit(null)
    expect(await textOf(object)).toBe(contentOf(bytes).sha256)
    await eventually('the cache has it', async () => (await cachedFiles(at)).length === 1)
    const before = fetches()
    expect(await storage.open(name).then(found => found?.body)).toBeInstanceOf(Blob)
    expect(fetches() - before).toBe(0)
  })

  test('a range does not wait for the whole', async () => {
    const storage = await open({ fetchWait: 300 })
    proxy.limit(MEGABYTE, 'hold')
    try {
      const part = await storage.open(name, { start: 3_500_000, end: 3_500_100 })
      expect(await textOf(part)).toBe(contentOf(bytes.subarray(3_500_000, 3_500_100)).sha256)
    } finally {
      proxy.limit(null)
    }
  })

  test('an answer that is damaged at its end breaks off; its last bytes are never sent', async () => {
    const storage = await open({ cacheBytes: MEGABYTE })
    // Cuts the end of every chunk but the first, which contains the headers.
    proxy.alter(chunk => (chunk.includes('HTTP/1.1') ? chunk : chunk.fill(0, chunk.length - 10)))
    try {
      const { body } = (await storage.open(name))!
      let length = 0
      const reading = (async () => {
        for await (const chunk of body as ReadableStream<Uint8Array>) length += chunk.length
      })()
      await expect(reading).rejects.toThrow('other bytes')
      expect(length).toBeLessThan(bytes.length)
    } finally {
      proxy.alter(null)
    }
  })
})

test('a cache that cannot be used costs speed and nothing else', async () => {
  const at = newRoot()
  const storage = await open({ root: at })
  const bytes = randomBytes(51, 300_000)
  await put('files/before~1.bin', bytes, storage)
  const [index] = await Array.fromAsync(new Bun.Glob('cache/*/index.db').scan(at))
  const breaking = new Database(join(at, index!))
  breaking.run('drop table entry; drop table claim')
  breaking.close()
  await put('files/after~1.bin', bytes, storage)
  for (const name of ['files/before~1.bin', 'files/after~1.bin']) {
    expect(await textOf(await storage.open(name))).toBe(contentOf(bytes).sha256)
    expect(await storage.withLocalFile(name, async file => (await stat(file)).size)).toBe(300_000)
  }
  await storage.remove('files/after~1.bin')
  expect(await storage.open('files/after~1.bin')).toBeNull()
})

test('a local file of an object outlives its place in the cache', async () => {
  const at = newRoot()
  const storage = await open({ root: at })
  const bytes = randomBytes(50, 10_000)
  await put('files/local~1.bin', bytes, storage)
  const read = await storage.withLocalFile('files/local~1.bin', async file => {
    await storage.remove('files/local~1.bin')
    return contentOf(await Bun.file(file).bytes())
  })
  expect(read).toEqual(contentOf(bytes))
  expect(await readdir(storage.scratch)).toEqual([])
})
