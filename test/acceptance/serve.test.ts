/** `GET, HEAD /f/<path>`: bytes, headers, conditional requests, freshness. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, type HeaderMap, read, remove, store } from '../support/api.ts'
import { concat, randomBytes, sha256 } from '../support/bytes.ts'
import { head, openRaw, sendRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()
// Sizes on both sides of every threshold between memory and streaming.
const FILES: [name: string, size: number][] = [
  ['tiny.bin', 1],
  ['small.bin', 10_000],
  ['middle.bin', 300_000],
  ['large.bin', 3 * 1024 * 1024],
]

function ask(path: string, headers: HeaderMap = {}, method = 'GET'): Promise<Response> {
  return fetch(`${on.service.url}/f/${path}`, { method, headers })
}

describe.each(FILES)('%s of %i bytes', (name, size) => {
  const bytes = randomBytes(size, size)
  const path = `serve/${name}`
  let etag = ''
  beforeAll(async () => {
    await store(on.service, on.token, path, bytes)
    etag = (await ask(path)).headers.get('etag') ?? ''
  })

  test('GET answers every byte, with its length, type, ETag and Vary', async () => {
    const response = await ask(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(size))
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('vary')).toMatch(/\bAccept\b/i)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(response.headers.has('set-cookie')).toBe(false)
    expectSameBytes(await bytesOf(response), bytes)
  })

  test('the ETag is strong and the same every time', async () => {
    expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect((await ask(path)).headers.get('etag')).toBe(etag)
  })

  test('HEAD answers the headers of GET and no body', async () => {
    const got = await ask(path)
    await got.arrayBuffer()
    const response = await ask(path, {}, 'HEAD')
    expect(response.status).toBe(200)
    expect((await bytesOf(response)).length).toBe(0)
    const names = ['content-length', 'content-type', 'etag', 'vary', 'cache-control', 'accept-ranges']
    const pick = (from: Response) => names.map(header => `${header}: ${from.headers.get(header)}`)
    expect(pick(response)).toEqual(pick(got))
  })

  test('after HEAD the connection goes on in step: no stray bytes', async () => {
    using connection = await openRaw(on.service.port)
    const next = head(`GET /f/${path}`, { Range: 'bytes=0-0' })
    await connection.write(head(`HEAD /f/${path}`) + next)
    expect((await connection.answer({ head: true })).headers.get('content-length')).toBe(String(size))
    const second = await connection.answer()
    expectSameBytes(await bytesOf(second), bytes.slice(0, 1))
  })

  test('no cache may use it again without asking', async () => {
    const policy = (await ask(path)).headers.get('cache-control') ?? ''
    expect(policy).toMatch(/\bno-cache\b|\bno-store\b|\bmax-age=0\b.*\bmust-revalidate\b/)
    expect(policy).not.toMatch(/immutable|max-age=[1-9]|stale-/)
  })

  test.each<[string, (etag: string) => string, number]>([
    ['the same', tag => tag, 304],
    ['a list that has it', tag => `"a", ${tag}, "b"`, 304],
    ['a list without blanks', tag => `"a",${tag}`, 304],
    ['the weak form', tag => `W/${tag}`, 304],
    ['a list of weak forms', tag => `W/"a", W/${tag}`, 304],
    ['any', () => '*', 304],
    ['another', () => '"other"', 200],
    ['another weak one', () => 'W/"other"', 200],
    ['without quotes', tag => tag.replaceAll('"', ''), 200],
    ['only the beginning', tag => `${tag.slice(0, -2)}"`, 200],
    ['longer', tag => `${tag.slice(0, -1)}x"`, 200],
    ['a list of others', () => '"a", "b"', 200],
    ['nonsense', () => ',,;"', 200],
  ])('If-None-Match with %s', async (_, value, status) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await ask(path, { 'If-None-Match': value(etag) }, method)
      expect({ method, status: response.status }).toEqual({ method, status })
      expect(response.headers.get('etag')).toBe(etag)
      expect(response.headers.get('vary')).toMatch(/\bAccept\b/i)
      const expected = status === 200 && method === 'GET' ? bytes : new Uint8Array()
      expectSameBytes(await bytesOf(response), expected)
    }
  })

  test('304 carries no body and no length of one', async () => {
    using connection = await openRaw(on.service.port)
    const next = head('GET /health')
    await connection.write(head(`GET /f/${path}`, { 'If-None-Match': etag }) + next)
    const response = await connection.answer()
    expect(response.status).toBe(304)
    // RFC 9110 section 8.6: if there is a length, it is that of the 200.
    expect([null, String(size)]).toContain(response.headers.get('content-length'))
    expect(response.headers.get('cache-control')).toBe((await ask(path)).headers.get('cache-control'))
    expect(await (await connection.answer()).json()).toEqual({ ok: true })
  })

  test('overwritten, the new bytes are there at once and the old ETag is worth nothing', async () => {
    const other = `serve/over-${name}`
    await store(on.service, on.token, other, bytes)
    const old = (await ask(other)).headers.get('etag') ?? ''
    for (let round = 1; round <= 5; round++) {
      const next = bytes.slice()
      next[0] = bytes[0]! + round
      await store(on.service, on.token, other, next)
      const response = await ask(other, { 'If-None-Match': old })
      expect(response.status).toBe(200)
      expectSameBytes(await bytesOf(response), next)
    }
  })
})

describe('absent', () => {
  test.each(['GET', 'HEAD'])('%s answers 404', async method => {
    const response = await ask('absent/file.png', {}, method)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(response.headers.get('vary')).toBe('Accept')
    if (method === 'GET') await expectError(response, 404)
  })

  test('If-None-Match: * does not make it 304', async () => {
    await expectError(await ask('absent/file.png', { 'If-None-Match': '*' }), 404)
  })

  test('404 is not kept by a cache: the file is there the moment it is stored', async () => {
    const first = await ask('absent/later.txt')
    expect(first.headers.get('cache-control') ?? 'no-store').not.toMatch(/max-age=[1-9]|immutable/)
    await store(on.service, on.token, 'absent/later.txt', 'x')
    expect((await ask('absent/later.txt')).status).toBe(200)
  })

  test('a folder is not a file', async () => {
    await store(on.service, on.token, 'absent/folder/a.txt', 'x')
    await expectError(await ask('absent/folder'), 404)
  })
})

test('a reader of the old file finishes undisturbed while it is overwritten and deleted', async () => {
  // Much larger than two socket buffers, so that most of it is still unsent when the file changes.
  const old = randomBytes(77, 40 * 1024 * 1024)
  await store(on.service, on.token, 'serve/reader.bin', old)
  using connection = await openRaw(on.service.port)
  connection.pause()
  await connection.write(head('GET /f/serve/reader.bin'))
  // Answered only after the earlier request was begun.
  await read(on.service, 'serve/reader.bin', { Range: 'bytes=0-0' })
  await store(on.service, on.token, 'serve/reader.bin', 'new')
  expect(await (await read(on.service, 'serve/reader.bin')).text()).toBe('new')
  await remove(on.service, on.token, 'serve/reader.bin')
  connection.resume()
  const response = await connection.answer({ deadlineMs: 15_000 })
  expectSameBytes(await bytesOf(response), old)
})

test('twenty readers while one writer overwrites: each gets one version, whole', async () => {
  const versions = Array.from({ length: 8 }, (_, n) => concat(randomBytes(n + 1, 100_000 + n)))
  const hashes = new Set(versions.map(sha256))
  await store(on.service, on.token, 'serve/busy.bin', versions[0]!)
  let writing = true
  const reader = async () => {
    while (writing) {
      const response = await ask('serve/busy.bin')
      expect(response.status).toBe(200)
      const bytes = await bytesOf(response)
      expect(response.headers.get('content-length')).toBe(String(bytes.length))
      expect(hashes.has(sha256(bytes))).toBe(true)
    }
  }
  const readers = Array.from({ length: 20 }, reader)
  for (const version of versions) await store(on.service, on.token, 'serve/busy.bin', version)
  writing = false
  await Promise.all(readers)
})

test('a request without Accept gets the original', async () => {
  await store(on.service, on.token, 'serve/plain.txt', 'plain')
  const response = await sendRaw(on.service.port, head('GET /f/serve/plain.txt'))
  expect(await response.text()).toBe('plain')
})
