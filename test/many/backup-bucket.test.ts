/**
 * A bucket as a backup target, on a real store, behind a proxy that changes, refuses or cuts answers where a
 * test wants it.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../src/base/hash/sha256.ts'
import { newId } from '../../src/base/ids.ts'
import { openArchive } from '../../src/features/backup/archive/archive-reader.ts'
import { type BucketPlaceParts, openBucketPlace } from '../../src/features/backup/bucket/bucket-place.ts'
import { ContentDiffers } from '../../src/features/backup/places/place.ts'
import { prune } from '../../src/features/backup/stock/prune.ts'
import { PART_SIZE } from '../../src/storage/s3/multipart.ts'
import { randomBytes } from '../support/bytes.ts'
import { useFolder } from '../support/folder.ts'
import { type Bucket, listBucket, makeBucket, signedFetch, useBuckets } from '../support/s3.ts'
import { type Swift, startSwift } from '../support/swift.ts'
import { needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
needsTool('age')

const cephBucket = useBuckets()
const root = await useFolder()
const limits = { answerTimeout: 20_000, totalTimeout: 30_000, idleTimeout: 5_000, retryPauses: [50, 100] }
const operation = { signal: new AbortController().signal, onBytes: () => {} }
const PASSWORD = 'ein langes Passwort'

/** What happens to an answer of the store on its way; `null`: it is forwarded. */
type Fate = (request: Request) => 'flip' | 'refuse' | 'cut' | null
let fate: Fate = () => null
let proxy: ReturnType<typeof Bun.serve>
let store: Bucket
beforeAll(() => {
  proxy = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const chosen = fate(request)
      if (chosen === 'refuse') return new Response('', { status: 503 })
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'PUT' || request.method === 'POST' ? await request.bytes() : undefined
      const answer = await fetch(store.endpoint + pathname + search, {
        method: request.method,
        headers: request.headers,
        ...(body && { body }),
      })
      if (request.method === 'HEAD') return new Response(null, answer)
      const bytes = await answer.bytes()
      if (chosen === 'flip') bytes[bytes.length - 1]! ^= 1
      const sent = chosen === 'cut' ? bytes.subarray(0, bytes.length / 2) : bytes
      const headers = new Headers(answer.headers)
      if (chosen !== 'cut') return new Response(sent, { status: answer.status, headers })
      const broken = new ReadableStream({
        start(controller) {
          controller.enqueue(sent)
          controller.error(new Error('cut'))
        },
      })
      return new Response(broken, { status: answer.status, headers })
    },
  })
})
afterAll(() => proxy.stop(true))

let prefixes = 0
function target(options: { password?: string; prefix?: string } = {}): BucketPlaceParts {
  const { password = PASSWORD, prefix = `ort ${prefixes++}/` } = options
  return {
    target: { ...store, endpoint: `http://127.0.0.1:${proxy.port}`, prefix, password },
    ...{ scratch: root, newId, now: Date.now, limits, createKey: true, keySettlingTime: 0 },
  }
}
const content = (bytes: Uint8Array) =>
  async function* () {
    yield bytes
  }
const entryOf = (bytes: Uint8Array) => ({ sha256: sha256(bytes), size: bytes.length })
const gathered = async (chunks: AsyncIterable<Uint8Array>) =>
  Buffer.concat((await Array.fromAsync(chunks)).map(chunk => Buffer.from(chunk)))
const namesBelow = async (prefix: string) =>
  (await listBucket(store)).map(name => decodeURIComponent(name)).filter(name => name.startsWith(prefix))
const only = (method: string, part: string, what: ReturnType<Fate>): Fate => {
  return request => (request.method === method && request.url.includes(part) ? what : null)
}

let swift: Swift | undefined
afterAll(() => swift?.[Symbol.asyncDispose]())
async function swiftBucket(): Promise<Bucket> {
  swift = await startSwift()
  return makeBucket(swift.place)
}

describe.each([
  ['Ceph', cephBucket],
  ['Swift, which has no conditional requests', swiftBucket],
])('on %s', (_, openBucket) => {
  beforeAll(async () => {
    store = await openBucket()
  })

  test.each(['', PASSWORD])(
    'contents and archives are stored, listed, read and removed, password “%s”',
    async password => {
      const parts = target({ password })
      const place = await openBucketPlace(parts)
      await place.prepare()
      const [short, long, empty] = [randomBytes(1, 70_000), randomBytes(2, PART_SIZE + 5), new Uint8Array(0)]
      for (const bytes of [short, long, empty]) await place.put(entryOf(bytes), content(bytes), operation)
      const listed = (await Array.fromAsync(place.contents())).flat()
      expect(listed.toSorted((a, b) => a.size - b.size)).toEqual([empty, short, long].map(entryOf))
      const { sha256: sum } = entryOf(long)
      expect((await Array.fromAsync(place.contents(sum.slice(0, 2)))).flat()).toContainEqual(entryOf(long))
      expect(await place.sizeOf(sum)).toBe(long.length)
      expect((await gathered(place.read(sum))).equals(long)).toBe(true)
      expect((await gathered(place.read(sum, 65_000))).equals(long.subarray(65_000))).toBe(true)

      const file = join(root, `archive-${password.length}`)
      await writeFile(file, short)
      await using archive = await openArchive(file)
      await place.putArchive('fundus-2026-01-01-000000.tar', archive, operation)
      expect(await place.archives()).toMatchObject([
        { name: 'fundus-2026-01-01-000000.tar', bytes: short.length },
      ])
      {
        await using back = await place.openArchive('fundus-2026-01-01-000000.tar')
        expect(Buffer.from(await back.read(0, 100)).equals(short.subarray(0, 100))).toBe(true)
      }
      await expect(place.openArchive('fundus-2026-01-02-000000.tar')).rejects.toThrow()
      expect((await readdir(root)).filter(name => name.startsWith('archiv-'))).toEqual([])
      await place.writeNote('{}')
      await place.writeNote('{"a": 1}')
      expect(await place.readNote()).toBe('{"a": 1}')

      await place.setAside(sum)
      expect([await place.sizeOf(sum), await place.listAside()]).toEqual([null, [sum]])
      await place.bringBack(sum)
      expect([await place.sizeOf(sum), await place.listAside()]).toEqual([long.length, []])
      await place.setAside(sum)
      await place.removeAside(sum)
      await place.bringBack(sum)
      expect(await place.sizeOf(sum)).toBeNull()
      await place.removeArchives(['fundus-2026-01-01-000000.tar'])
      expect(await place.archives()).toEqual([])

      const names = await namesBelow(parts.target.prefix)
      const plain = names
        .filter(name => !name.endsWith('.age'))
        .map(name => name.slice(parts.target.prefix.length))
      expect(plain.includes('bestand/geprueft.json')).toBe(true)
      expect(plain.length === 1).toBe(password !== '')
    },
  )

  test('what no archive names is thinned out, as in a folder', async () => {
    const place = await openBucketPlace(target({ password: '' }))
    const bytes = randomBytes(3, 1000)
    await place.put(entryOf(bytes), content(bytes), operation)
    await prune(place, { count: 1, weeks: 0, months: 0 }, '')
    expect((await Array.fromAsync(place.contents())).flat()).toEqual([])
    expect(await place.listAside()).toEqual([])
  })

  test('age and sha256sum open what was written', async () => {
    const parts = target()
    const place = await openBucketPlace(parts)
    const bytes = randomBytes(4, 200_000)
    const { sha256: sum } = entryOf(bytes)
    await place.put(entryOf(bytes), content(bytes), operation)
    const fetched = async (name: string) => {
      const path = `${parts.target.prefix}${name}`.split('/').map(encodeURIComponent).join('/')
      const answer = await signedFetch(store, `${store.endpoint}/${store.bucket}/${path}`)
      const file = join(root, name.split('/').at(-1)!)
      await writeFile(file, await answer.bytes())
      return file
    }
    const [key, sealed] = [
      await fetched('schluessel.age'),
      await fetched(`bestand/${sum.slice(0, 2)}/${sum}.age`),
    ]
    let shown = ''
    const child = Bun.spawn(['age', '-d', '-i', key, '-o', join(root, sum), sealed], {
      terminal: {
        data(_, part) {
          shown += Buffer.from(part).toString()
        },
      },
    })
    await eventually('age asks', () => /passphrase/i.test(shown))
    child.terminal!.write(`${PASSWORD}\n`)
    expect([await child.exited, shown]).toEqual([0, expect.any(String)])
    expect(Bun.spawnSync(['sha256sum', join(root, sum)]).stdout.toString()).toStartWith(sum)
  })

  test.each([
    ['another password', PASSWORD, 'anders', 'backup-bucket-password'],
    ['no password any more', PASSWORD, '', 'backup-bucket-encrypted'],
    ['a password for what lies there in the clear', '', PASSWORD, 'backup-bucket-plain'],
  ])('%s is refused with a sentence, and nothing changes', async (_, before, password, code) => {
    const parts = target({ password: before })
    const place = await openBucketPlace(parts)
    const file = join(root, 'some')
    await writeFile(file, 'x')
    await using archive = await openArchive(file)
    await place.putArchive('fundus-2026-01-01-000000.tar', archive, operation)
    const names = await namesBelow(parts.target.prefix)
    const opening = openBucketPlace({ ...parts, target: { ...parts.target, password } })
    await expect(opening).rejects.toMatchObject({ code })
    expect(await namesBelow(parts.target.prefix)).toEqual(names)
    expect(await (await openBucketPlace(parts)).archives()).toHaveLength(1)
  })

  test.each(['', PASSWORD])(
    'a store that returns other bytes is caught, and keeps nothing, password “%s”',
    async password => {
      const place = await openBucketPlace(target({ password }))
      const bytes = randomBytes(5, 1000)
      fate = only('GET', 'bestand', 'flip')
      try {
        const error = await place.put(entryOf(bytes), content(bytes), operation).catch(caught => caught)
        expect(error).toBeInstanceOf(ContentDiffers)
        expect(error.side).toBe('target')
      } finally {
        fate = () => null
      }
      expect(await place.sizeOf(entryOf(bytes).sha256)).toBeNull()
    },
  )

  test('a source with other bytes than its sum is told, and nothing gets its name', async () => {
    const place = await openBucketPlace(target())
    const bytes = randomBytes(6, PART_SIZE + 1)
    const entry = { ...entryOf(bytes), sha256: 'f'.repeat(64) }
    const error = await place.put(entry, content(bytes), operation).catch(caught => caught)
    expect([error instanceof ContentDiffers, error.side, error.foundEntry]).toEqual([
      true,
      'source',
      entryOf(bytes),
    ])
    expect(await place.sizeOf(entry.sha256)).toBeNull()
  })

  test('503 for a while is waited out; for longer it is a sentence, and nothing is half there', async () => {
    const parts = target()
    const place = await openBucketPlace(parts)
    const bytes = randomBytes(7, 2 * PART_SIZE)
    let refused = 0
    fate = request => (request.url.includes('partNumber=2') && refused++ < 2 ? 'refuse' : null)
    await place.put(entryOf(bytes), content(bytes), operation)
    expect([refused >= 2, await place.sizeOf(entryOf(bytes).sha256)]).toEqual([true, bytes.length])
    const other = randomBytes(8, 2 * PART_SIZE)
    fate = only('PUT', 'partNumber=2', 'refuse')
    try {
      await expect(place.put(entryOf(other), content(other), operation)).rejects.toMatchObject({
        code: 'backup-bucket-unusable',
        sentence: expect.stringContaining('503'),
      })
    } finally {
      fate = () => null
    }
    expect(await place.sizeOf(entryOf(other).sha256)).toBeNull()
  })

  test('an upload that breaks off goes on with the parts that are there, if they are the same', async () => {
    const parts = target({ password: '' })
    const bytes = randomBytes(10, 3 * PART_SIZE + 5)
    const sent: string[] = []
    const uploading = async (refused: string) => {
      sent.length = 0
      fate = request => {
        const number = new URL(request.url).searchParams.get('partNumber')
        if (request.method !== 'PUT' || number === null) return null
        sent.push(number)
        return number === refused ? 'refuse' : null
      }
      const place = await openBucketPlace(parts)
      await place.prepare()
      return place.put(entryOf(bytes), content(bytes), operation).finally(() => {
        fate = () => null
      })
    }
    await expect(uploading('3')).rejects.toMatchObject({ code: 'backup-bucket-unusable' })
    expect([...new Set(sent)]).toEqual(['1', '2', '3'])
    // One of the stored parts does not belong to this content.
    const key = `${parts.target.prefix}bestand/${entryOf(bytes).sha256.slice(0, 2)}/${entryOf(bytes).sha256}`
    await replacePart(key, 2, randomBytes(11, PART_SIZE))
    await uploading('none')
    expect(sent).toEqual(['2', '3', '4'])
    const place = await openBucketPlace(parts)
    expect((await gathered(place.read(entryOf(bytes).sha256))).equals(bytes)).toBe(true)
  })

  /** Sends another part to the unfinished upload of this name. */
  async function replacePart(key: string, number: number, bytes: Uint8Array<ArrayBuffer>) {
    const bucket = `${store.endpoint}/${store.bucket}`
    const listed = await (
      await signedFetch(store, `${bucket}?uploads=&prefix=${encodeURIComponent(key)}`)
    ).text()
    const [, id] = /<UploadId>([^<]+)</.exec(listed)!
    const path = key.split('/').map(encodeURIComponent).join('/')
    const url = `${bucket}/${path}?partNumber=${number}&uploadId=${encodeURIComponent(id!)}`
    expect((await signedFetch(store, url, { method: 'PUT', body: bytes })).status).toBe(200)
  }

  test('a download that breaks off in the middle goes on from there', async () => {
    const place = await openBucketPlace(target())
    const bytes = randomBytes(9, 3_000_000)
    await place.put(entryOf(bytes), content(bytes), operation)
    let cuts = 0
    fate = request =>
      request.method === 'GET' && request.url.includes('bestand') && cuts++ < 3 ? 'cut' : null
    expect((await gathered(place.read(entryOf(bytes).sha256))).equals(bytes)).toBe(true)
    fate = () => null
    expect(cuts).toBeGreaterThan(3)
  })

  test('a wrong key and a bucket that is not there are sentences', async () => {
    const parts = target()
    const wrong = openBucketPlace({ ...parts, target: { ...parts.target, secretAccessKey: 'wrong' } })
    await expect(wrong).rejects.toMatchObject({ code: 'backup-bucket-unusable' })
    const absent = openBucketPlace({ ...parts, target: { ...parts.target, bucket: 'absent' } })
    await expect(absent).rejects.toMatchObject({ code: 'backup-bucket-unusable' })
  })
})
