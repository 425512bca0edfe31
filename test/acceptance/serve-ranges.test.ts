/** Single byte ranges on `/f/`, for a file served from memory and one that is streamed. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, type HeaderMap, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { memoryOf } from '../support/processes.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ ownProcess: true })

describe.each([
  ['small.bin', 10_000],
  ['large.bin', 3 * 1024 * 1024],
])('%s of %i bytes', (name, size) => {
  const bytes = randomBytes(size, size)
  const ask = (headers: HeaderMap, method = 'GET') =>
    fetch(`${on.service.url}/f/range/${name}`, { method, headers })
  let etag = ''
  let modified: string | null = null
  beforeAll(async () => {
    await store(on.service, on.token, `range/${name}`, bytes)
    const whole = await ask({}, 'HEAD')
    etag = whole.headers.get('etag') ?? ''
    modified = whole.headers.get('last-modified')
  })

  const expectWhole = async (response: Response) => {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(size))
    expect(response.headers.has('content-range')).toBe(false)
    expectSameBytes(await bytesOf(response), bytes)
  }
  const expectPart = async (response: Response, first: number, last: number) => {
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${size}`)
    expect(response.headers.get('content-length')).toBe(String(last - first + 1))
    expect(response.headers.get('etag')).toBe(etag)
    expect(response.headers.get('vary')).toMatch(/\bAccept\b/i)
    expectSameBytes(await bytesOf(response), bytes.slice(first, last + 1))
  }

  test.each<[string, number, number]>([
    ['bytes=0-0', 0, 0],
    ['bytes=5-9', 5, 9],
    [`bytes=${size - 1}-${size - 1}`, size - 1, size - 1],
    ['bytes=0-', 0, size - 1],
    ['bytes=4321-', 4321, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=-1', size - 1, size - 1],
    ['bytes=-500', size - 500, size - 1],
    [`bytes=-${size}`, 0, size - 1],
    [`bytes=-${size + 1}`, 0, size - 1],
    ['bytes=-99999999999999999999', 0, size - 1],
    [`bytes=100-${size - 1}`, 100, size - 1],
    [`bytes=100-${size}`, 100, size - 1],
    ['bytes=100-99999999999999999999', 100, size - 1],
    ['bytes=007-0010', 7, 10],
    ['Bytes=5-9', 5, 9],
  ])('%s is bytes %i to %i', async (range, first, last) => {
    await expectPart(await ask({ Range: range }), first, last)
  })

  test.each([
    `bytes=${size}-`,
    `bytes=${size}-${size}`,
    `bytes=${size + 5}-${size + 9}`,
    'bytes=99999999999999999999-',
    'bytes=-0',
  ])('%s lies outside: 416 with the real length', async range => {
    const response = await ask({ Range: range })
    expect(response.headers.get('content-range')).toBe(`bytes */${size}`)
    expect(response.headers.get('vary')).toBe('Accept')
    await expectError(response, 416)
  })

  test.each([
    'bytes=0-1,5-6',
    'bytes=0-0, -1',
    'bytes=5-2',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=1-b',
    'bytes=1',
    'bytes=--5',
    'bytes=1-2-3',
    'bytes=0x1-0x5',
    'bytes=1.5-2',
    'bytes=+1-2',
    'bytes 0-1',
    'items=0-1',
    '0-1',
    'nonsense',
  ])('%s is more than one range, or none: the whole file', async range => {
    await expectWhole(await ask({ Range: range }))
  })

  describe('If-Range', () => {
    const range = { Range: 'bytes=5-9' }
    test('of the same ETag: the part', async () => {
      await expectPart(await ask({ ...range, 'If-Range': etag }), 5, 9)
    })

    test('of nothing: the part', async () => {
      await expectPart(await ask({ ...range, 'If-Range': '' }), 5, 9)
    })

    test.each<[string, (etag: string) => string]>([
      ['another ETag', () => '"other"'],
      ['the weak form, which never compares equal here', tag => `W/${tag}`],
      ['an earlier date', () => 'Sat, 01 Jan 2000 00:00:00 GMT'],
      ['a later date', () => 'Fri, 01 Jan 2100 00:00:00 GMT'],
      ['nonsense', () => 'nonsense'],
      ['a list, which it does not allow', tag => `"a", ${tag}`],
      ['a list that begins with it', tag => `${tag}, "a"`],
      ['the tag without its quotes', tag => tag.slice(1, -1)],
      ['the tag in other letters', tag => tag.toUpperCase().replace(/^"/, '"X')],
      ['everything', () => '*'],
    ])('of %s: the whole file', async (_, value) => {
      await expectWhole(await ask({ ...range, 'If-Range': value(etag) }))
    })

    test('of the very date that was told, if one is told: the part', async () => {
      if (modified === null) return expect(modified).toBeNull()
      await expectPart(await ask({ ...range, 'If-Range': modified }), 5, 9)
    })

    test('that does not hold makes an unsatisfiable range harmless', async () => {
      await expectWhole(await ask({ Range: `bytes=${size}-`, 'If-Range': '"other"' }))
    })

    test('without a range means nothing', async () => {
      await expectWhole(await ask({ 'If-Range': etag }))
    })
  })

  test('If-None-Match goes first: 304', async () => {
    expect((await ask({ Range: 'bytes=0-0', 'If-None-Match': etag })).status).toBe(304)
    await expectPart(await ask({ Range: 'bytes=0-0', 'If-None-Match': '"other"' }), 0, 0)
  })

  test.each(['bytes=0-0', `bytes=${size}-`])('HEAD knows no ranges: %s', async range => {
    const response = await ask({ Range: range }, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(size))
    expect(response.headers.has('content-range')).toBe(false)
  })

  test('ranges one after the other on one connection stay in step', async () => {
    using connection = await openRaw(on.service.port)
    const ranges = [
      [0, 0],
      [9000, 9999],
      [1, 5],
    ] as const
    for (const [first, last] of ranges) {
      await connection.write(head(`GET /f/range/${name}`, { Range: `bytes=${first}-${last}` }))
      await expectPart(await connection.answer(), first, last)
    }
  })

  test('pieced together from parts it is the file', async () => {
    const step = Math.ceil(size / 7)
    const parts: Uint8Array[] = []
    for (let at = 0; at < size; at += step) {
      parts.push(await bytesOf(await ask({ Range: `bytes=${at}-${at + step - 1}` })))
    }
    expectSameBytes(Buffer.concat(parts), bytes)
  })
})

test('300 slow readers whose If-Range is void do not hold the file in memory', async () => {
  await store(on.service, on.token, 'range/slow.bin', randomBytes(1, 20 * 1024 * 1024))
  const before = memoryOf(on.service.pid)
  const readers = await Promise.all(Array.from({ length: 300 }, () => openRaw(on.service.port)))
  try {
    for (const reader of readers) {
      reader.pause()
      await reader.write(head('GET /f/range/slow.bin', { Range: 'bytes=5-', 'If-Range': '"other"' }))
    }
    // The last request is answered only after all others were begun.
    expect((await fetch(`${on.service.url}/f/range/slow.bin`, { method: 'HEAD' })).status).toBe(200)
    await Bun.sleep(500)
    expect(memoryOf(on.service.pid) - before).toBeLessThan(60 * 1024 * 1024)
  } finally {
    for (const reader of readers) reader.close()
  }
})
