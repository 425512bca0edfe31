/** Bad requests get a clear answer and change nothing; the service keeps running. */
import { afterEach, describe, expect, test } from 'bun:test'
import { exists, expectError, store, upload } from '../support/api.ts'
import { concat, randomBytes } from '../support/bytes.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { head, openRaw, sendRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()
const auth = () => ({ Authorization: `Bearer ${on.token}` })

// The service must still answer after every test.
afterEach(async () => {
  expect(await (await fetch(`${on.service.url}/health`)).json()).toEqual({ ok: true })
})

test('health answers exactly {ok: true}', async () => {
  const response = await fetch(`${on.service.url}/health`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(await response.text()).toBe('{"ok":true}')
})

describe('HTTP/1.0 without a host, as some health checks speak it', () => {
  const status = async (path: string) =>
    (await sendRaw(on.service.port, `GET ${path} HTTP/1.0\r\n\r\n`)).status

  test('finds every route', async () => {
    await store(on.service, on.token, 'old/a.txt', 'x')
    expect(await status('/health')).toBe(200)
    expect(await status('/f/old/a.txt')).toBe(200)
    expect(await status('/api/exists?pfad=a')).toBe(401)
    expect(await status('/api/dash/ich')).toBe(401)
  })

  test('does not take a part of the path for a host', async () => {
    expect(await status('/x/f/old/a.txt')).toBe(404)
    expect(await status('/x/health')).toBe(404)
  })
})

describe('unknown routes answer 404', () => {
  test.each([
    '/nowhere',
    '/f',
    '/health/x',
    '/healthx',
    '/api',
    '/api/',
    '/api/nowhere',
    '/api/uploads',
    '/api/upload/x',
    '/F/a.png',
    '/favicon.ico',
    '/%zz',
    '/api/%ff',
  ])('%s', async target => {
    await expectError(await sendRaw(on.service.port, head(`GET ${target}`, auth())), 404)
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('by any method: %s', async method => {
    await expectError(await fetch(`${on.service.url}/nowhere`, { method, headers: auth() }), 404)
  })
})

describe('a wrong method answers 405 and names the right ones', () => {
  test.each([
    ['POST', '/f/a.png', ['GET', 'HEAD']],
    ['PUT', '/f/a.png', ['GET', 'HEAD']],
    ['DELETE', '/f/a.png', ['GET', 'HEAD']],
    ['PATCH', '/f/a.png', ['GET', 'HEAD']],
    ['POST', '/t/a.png.webp', ['GET', 'HEAD']],
    ['GET', '/api/upload', ['POST']],
    ['PUT', '/api/upload', ['POST']],
    ['DELETE', '/api/upload', ['POST']],
    ['POST', '/health', ['GET']],
    ['DELETE', '/health', ['GET']],
    ['POST', '/api/exists', ['GET']],
    ['DELETE', '/api/exists/a.png', ['GET']],
    ['GET', '/api/media/a.png', ['DELETE']],
    ['POST', '/api/media/a.png', ['DELETE']],
    ['PUT', '/api/media/a.png', ['DELETE']],
  ])('%s %s', async (method, path, right) => {
    const response = await fetch(`${on.service.url}${path}`, { method, headers: auth() })
    const allow = (response.headers.get('allow') ?? '').split(',').map(item => item.trim())
    for (const each of right) expect(allow).toContain(each)
    expect(allow).not.toContain(method)
    await expectError(response, 405)
  })

  test('a method nobody knows is none of them: 501', async () => {
    await expectError(await sendRaw(on.service.port, head('BREW /f/a.png')), 501)
  })
})

describe('a body that breaks off leaves nothing', () => {
  const content = randomBytes(1, 200_000)
  const form = multipart([{ name: 'file', filename: 'a.bin', content }])
  const chunk = concat('10000\r\n', content.slice(0, 0x10000), '\r\n')
  test.each([
    ['raw', { 'Content-Length': 200_000 }, content.slice(0, 150_000)],
    ['raw, not one byte', { 'Content-Length': 200_000 }, new Uint8Array()],
    ['raw, one byte missing', { 'Content-Length': 200_000 }, content.slice(0, -1)],
    ['chunked', { 'Transfer-Encoding': 'chunked' }, concat(chunk, chunk)],
    ['chunked, within a chunk', { 'Transfer-Encoding': 'chunked' }, chunk.slice(0, 30_000)],
    ['multipart', { ...MULTIPART, 'Content-Length': form.length }, form.slice(0, 100_000)],
    ['multipart, in the last line', { ...MULTIPART, 'Content-Length': form.length }, form.slice(0, -3)],
    ['Base64', { 'X-Encoding': 'base64', 'Content-Length': 200_000 }, 'AAAA'.repeat(20_000)],
  ])('%s', async (name, headers, body) => {
    const path = `cut/${name.replaceAll(/[^a-z]+/gi, '-')}.bin`
    await leavesNothing(on.service.dataDir, async () => {
      const connection = await openRaw(on.service.port)
      await connection.write(
        concat(head('POST /api/upload', { ...auth(), 'X-Path': path, ...headers }), body),
      )
      // Long enough for the service to begin reading; the rest never arrives.
      await Bun.sleep(50)
      connection.close()
      await Bun.sleep(50)
    })
    expect(await exists(on.service, on.token, path)).toBe(false)
  })

  test('and the file that was there stays', async () => {
    await store(on.service, on.token, 'cut/kept.txt', 'kept')
    await leavesNothing(on.service.dataDir, async () => {
      const connection = await openRaw(on.service.port)
      const headers = { ...auth(), 'X-Path': 'cut/kept.txt', 'Content-Length': 1000 }
      await connection.write(`${head('POST /api/upload', headers)}half`)
      await Bun.sleep(50)
      connection.close()
      await Bun.sleep(50)
    })
    expect(await (await fetch(`${on.service.url}/f/cut/kept.txt`)).text()).toBe('kept')
  })

  test('forty at once', async () => {
    await leavesNothing(on.service.dataDir, async () => {
      const connections = await Promise.all(Array.from({ length: 40 }, () => openRaw(on.service.port)))
      for (const [n, connection] of connections.entries()) {
        const headers = { ...auth(), 'X-Path': `cut/many-${n}.bin`, 'Content-Length': 200_000 }
        await connection.write(concat(head('POST /api/upload', headers), content.slice(0, 70_000)))
      }
      await Bun.sleep(50)
      for (const connection of connections) connection.close()
      await Bun.sleep(50)
    })
  })
})

describe('a body longer than announced', () => {
  test('counts as far as it was announced; the rest is no part of the file', async () => {
    const headers = { ...auth(), 'X-Path': 'long/a.txt', 'Content-Length': 5 }
    const response = await sendRaw(
      on.service.port,
      `${head('POST /api/upload', headers)}12345EXTRA EXTRA\r\n\r\n`,
    )
    expect(response.status).toBe(200)
    expect(await (await fetch(`${on.service.url}/f/long/a.txt`)).text()).toBe('12345')
  })

  test('its rest is not a second upload in disguise', async () => {
    const headers = { ...auth(), 'X-Path': 'long/b.txt', 'Content-Length': 1, 'Transfer-Encoding': 'chunked' }
    await leavesNothing(on.service.dataDir, async () => {
      const response = await sendRaw(
        on.service.port,
        `${head('POST /api/upload', headers)}5\r\nhello\r\n0\r\n\r\n`,
      )
      expect(response.status).toBe(400)
    })
    expect(await exists(on.service, on.token, 'long/b.txt')).toBe(false)
  })
})

describe('a malformed request is told so in a sentence', () => {
  const upTo = (bytes: number) => 'a'.repeat(bytes)

  test.each<[string, string, number, string]>([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'request-malformed'],
    ['the beginning of TLS', '\x16\x03\x01\x00\xc8', 400, 'request-malformed'],
    ['a broken request line', 'GET\r\n\r\n', 400, 'request-malformed'],
    ['bare line feeds', 'GET /health HTTP/1.1\nHost: x\n\n', 400, 'request-malformed'],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'request-malformed'],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'request-malformed'],
    ['no path', head('GET health'), 400, 'request-malformed'],
    ['a negative length', head('POST /api/upload', { 'Content-Length': -1 }), 400, 'request-malformed'],
    [
      'a length that is no number',
      head('POST /api/upload', { 'Content-Length': 'ten' }),
      400,
      'request-malformed',
    ],
    [
      'two lengths',
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy',
      ...([400, 'request-malformed'] as const),
    ],
    [
      'a length beside chunks',
      head('POST /api/upload', { 'Content-Length': 1, 'Transfer-Encoding': 'chunked' }),
      ...([400, 'request-malformed'] as const),
    ],
    [
      'an unknown transfer coding',
      head('POST /api/upload', { 'Transfer-Encoding': 'gzip' }),
      ...([400, 'request-malformed'] as const),
    ],
    [
      'a header without a colon',
      'GET /health HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
      400,
      'request-malformed',
    ],
    [
      'a blank before the colon',
      'GET /health HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n',
      400,
      'request-malformed',
    ],
    ['too many empty lines', '\r\n'.repeat(200), 400, 'request-malformed'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'version-unknown'],
    ['HTTP/3.7', 'GET /health HTTP/3.7\r\nHost: x\r\n\r\n', 505, 'version-unknown'],
    ['a header of 100 KB', head('GET /health', { 'X-Long': upTo(100_000) }), 431, 'head-too-large'],
    ['a header of 2 MB', head('GET /health', { 'X-Long': upTo(2_000_000) }), 431, 'head-too-large'],
    ['a path of 20 KB', head(`GET /${upTo(20_000)}`), 431, 'head-too-large'],
    [
      '300 headers',
      head('GET /health', Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`X-${at}`, at]))),
      ...([431, 'head-too-large'] as const),
    ],
  ])('%s', async (_, request, status, code) => {
    const response = await sendRaw(on.service.port, Buffer.from(request, 'latin1'))
    expect(response.headers.get('x-fehler-code')).toBe(code)
    expect(response.headers.get('connection')).toBe('close')
    await expectError(response, status)
  })

  test.each([
    ['its size is no number', 'zz\r\nhello\r\n0\r\n\r\n'],
    ['it is longer than its size', '3\r\nhello\r\n0\r\n\r\n'],
    ['its extension has no end', `5;${upTo(2000)}`],
    ['extensions are longer than all data', `1;${upTo(900)}\r\na\r\n`.repeat(30)],
    ['the trailers are no header lines', '0\r\nno trailer\r\n\r\n'],
    ['a trailer tells another length', '0\r\nContent-Length: 3\r\n\r\n'],
  ])('a broken chunk in an authorised upload, and nothing is stored: %s', async (_, broken) => {
    const headers = { ...auth(), 'X-Path': 'bad/chunk.bin', 'Transfer-Encoding': 'chunked' }
    await leavesNothing(on.service.dataDir, async () => {
      const response = await sendRaw(
        on.service.port,
        `${head('POST /api/upload', headers)}5\r\nhello\r\n${broken}`,
      )
      expect(response.headers.get('x-fehler-code')).toBe('chunks-broken')
      await expectError(response, 400)
    })
    expect(await exists(on.service, on.token, 'bad/chunk.bin')).toBe(false)
  })

  test('but HEAD gets no body', async () => {
    using connection = await openRaw(on.service.port)
    await connection.write('HEAD /health HTTP/1.1\r\n\r\n')
    const response = await connection.answer({ head: true })
    expect([response.status, response.headers.get('x-fehler-code')]).toEqual([400, 'request-malformed'])
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
    expect(await connection.rest()).toBe('')
  })

  test('a header that is never finished does not keep others waiting', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => openRaw(on.service.port)))
    for (const connection of slow) await connection.write('GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    await upload(on.service, on.token, 'x', { 'X-Path': 'slow/a.txt' })
    expect((await fetch(`${on.service.url}/f/slow/a.txt`)).status).toBe(200)
    for (const connection of slow) connection.close()
  })
})
