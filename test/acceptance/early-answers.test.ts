/**
 * An answer sent before the body was read reaches the client, even one that is still sending, and also
 * through nginx.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectError, read, store } from '../support/api.ts'
import { findNginx, type RunningProxy, startNginx } from '../support/nginx.ts'
import { memoryOf } from '../support/processes.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

const MEGABYTE = 1024 * 1024
const on = sharedService({ ownProcess: true, env: { MAX_UPLOAD_MB: '4' } })

interface Refusal {
  status: number
  route: string
  headers?: Record<string, string>
  /** Sent in chunks, so that its size is known only by counting. */
  chunked?: true
}

const WRONG = { Authorization: 'Bearer media_wrong' }
const right = () => ({ Authorization: `Bearer ${on.token}` })

const REFUSALS: [string, () => Refusal][] = [
  ['a wrong key', () => ({ status: 401, route: '/api/upload', headers: WRONG })],
  ['a file announced as too large', () => ({ status: 413, route: '/api/upload', headers: right() })],
  [
    'a file that proves too large',
    () => ({ status: 413, route: '/api/upload', headers: right(), chunked: true }),
  ],
  [
    'an invalid path',
    () => ({ status: 400, route: '/api/upload', headers: { ...right(), 'X-Path': '../x' } }),
  ],
  ['a compatibility route without a key', () => ({ status: 401, route: '/api/image' })],
  ['no form on a compatibility route', () => ({ status: 400, route: '/api/v3/file', headers: right() })],
  ['Base64 too large in JSON', () => ({ status: 413, route: '/api/v3/file/base64', headers: right() })],
  ['a dashboard upload of a stranger', () => ({ status: 401, route: '/api/dash/upload' })],
  ['an unknown address', () => ({ status: 404, route: '/api/nowhere' })],
  ['a method that stored files do not know', () => ({ status: 405, route: '/f/a.bin' })],
]

/** The most frequent refusals, so they are tried most often. */
const UPLOADS = REFUSALS.slice(0, 3).map(([name]) => name)

const BODY = Buffer.alloc(6 * MEGABYTE, 'a')
const CHUNKED = Buffer.concat(
  Array.from({ length: 96 }, () =>
    Buffer.concat([Buffer.from('10000\r\n'), BODY.subarray(0, 0x10000), Buffer.from('\r\n')]),
  ),
)

/** Sends everything before it reads the answer, as many programs do. */
async function sendWhole(
  port: number,
  { route, headers = {}, chunked }: Refusal,
  more = {},
): Promise<Response> {
  using connection = await openRaw(port)
  const length = chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': BODY.length }
  await connection.write(head(`POST ${route}`, { ...headers, ...length, ...more }))
  await connection.write(chunked ? Buffer.concat([CHUNKED, Buffer.from('0\r\n\r\n')]) : BODY)
  return await connection.answer({ deadlineMs: 20_000 })
}

/**
 * Returns the answers that were not the expected refusal; empty if all `times` requests were refused
 * correctly.
 */
async function otherAnswers(times: number, port: number, refusal: Refusal, more = {}): Promise<string[]> {
  const wrong: string[] = []
  const one = async () => {
    const outcome = await sendWhole(port, refusal, more).then(
      async answer => `${answer.status} ${await answer.text()}`,
      error => String(error),
    )
    if (!outcome.startsWith(`${refusal.status} {"error":`)) wrong.push(outcome.slice(0, 200))
  }
  for (let sent = 0; sent < times; sent += 4) await Promise.all([one(), one(), one(), one()])
  return wrong
}

describe('through nginx', () => {
  needsTool('nginx-light', findNginx)
  const documented = readFileSync(join(import.meta.dir, '../../deploy/nginx.conf'), 'utf8')
  const served = (lines: string) => (port: number) =>
    `server {
      listen 127.0.0.1:${port};
      client_max_body_size 300m;
      location / { proxy_pass http://127.0.0.1:${on.service.port}; ${lines} }
    }`
  const servers = [
    // HTTP/1.0 and `Connection: close` towards the service: nginx's default.
    served(''),
    served('proxy_http_version 1.1; proxy_request_buffering off;'),
    (port: number) =>
      documented
        .replace('listen 80;', `listen 127.0.0.1:${port};`)
        .replace('127.0.0.1:8080', `127.0.0.1:${on.service.port}`),
  ]
  let proxy: Promise<RunningProxy> | undefined
  /** Started by the first test: after a failing `beforeAll` no test would name the missing program. */
  function ports(): Promise<readonly number[]> {
    proxy ??= startNginx(servers)
    return proxy.then(running => running.ports)
  }
  afterAll(async () => {
    await (await proxy?.catch(() => undefined))?.[Symbol.asyncDispose]()
  })

  test.each(REFUSALS)('%s with 6 MB is never a 502', async (name, refusal) => {
    const [asItComes, ...otherwise] = await ports()
    const often = UPLOADS.includes(name)
    expect(await otherAnswers(often ? 100 : 8, asItComes!, refusal())).toEqual([])
    if (often) for (const port of otherwise) expect(await otherAnswers(20, port, refusal())).toEqual([])
  })
})

describe('without a proxy', () => {
  test.each(REFUSALS)('%s with 6 MB', async (_, refusal) => {
    for (const more of [{}, { Connection: 'close' }, { Expect: '100-continue' }])
      expect(await otherAnswers(4, on.service.port, refusal(), more)).toEqual([])
  })

  test('the answer comes first: a client that reads while it sends need not send the rest', async () => {
    using connection = await openRaw(on.service.port)
    await connection.write(head('POST /api/upload', { ...WRONG, 'Content-Length': 5_000_000_000 }))
    const answer = await connection.answer({ deadlineMs: 20_000 })
    expect(answer.headers.get('connection')).toBe('close')
    await expectError(answer, 401)
    await eventually('the connection is closed', () => connection.closed)
  })

  test('a body without end is read for a while, not for ever, and not into memory', async () => {
    // A connection to the process whose memory is measured.
    using connection = await openRaw(on.service.instances[0]!.run.port)
    const before = memoryOf(on.service.pid)
    await connection.write(head('POST /api/upload', { ...WRONG, 'Transfer-Encoding': 'chunked' }))
    let sent = 0
    while (!connection.closed && sent < 1500 * MEGABYTE) {
      await connection.write(CHUNKED)
      sent += CHUNKED.length
    }
    expect(sent).toBeLessThan(500 * MEGABYTE)
    expect(memoryOf(on.service.pid) - before).toBeLessThan(100 * MEGABYTE)
    await expectError(await connection.answer({ cutOff: true }), 401)
  })

  test.each([
    ['GET', '/health'],
    ['HEAD', '/health'],
    ['GET', '/f/known.txt'],
    ['HEAD', '/f/known.txt'],
  ])('nor is the body of %s %s, which nobody asked for', async (method, address) => {
    await store(on.service, on.token, 'known.txt', 'known')
    // From the second request on it is answered from memory.
    for (const _ of [1, 2, 3]) await read(on.service, 'known.txt')
    using connection = await openRaw(on.service.port)
    await connection.write(head(`${method} ${address}`, { 'Transfer-Encoding': 'chunked' }))
    let sent = 0
    while (!connection.closed && sent < 500 * MEGABYTE) {
      await connection.write(CHUNKED)
      sent += CHUNKED.length
    }
    expect(sent).toBeLessThan(100 * MEGABYTE)
  })

  test('the twin: a body that is soon over leaves the connection in use', async () => {
    using connection = await openRaw(on.service.port)
    for (const length of [10, 100_000]) {
      await connection.write(head('POST /api/upload', { ...WRONG, 'Content-Length': length }))
      await connection.write(BODY.subarray(0, length))
      const refused = await connection.answer()
      expect(refused.headers.get('connection')).not.toBe('close')
      await expectError(refused, 401)
    }
    await connection.write(head('GET /health'))
    expect((await connection.answer()).status).toBe(200)
  })
})
