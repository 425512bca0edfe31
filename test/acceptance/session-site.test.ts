/**
 * Where a request may come from and what it may contain: other sites, the files' host, types and sizes of
 * bodies.
 */
import { describe, expect, test } from 'bun:test'
import { expectError, type HeaderMap } from '../support/api.ts'
import { ADMIN, dash, isSignedIn, setupCode, signIn } from '../support/dashboard.ts'
import { head, sendRaw } from '../support/raw.ts'
import { startService } from '../support/service.ts'
import { sharedService, signedInService } from '../support/shared-service.ts'

const PUBLIC_URL = 'https://media.example.test'
const on = signedInService({ env: { PUBLIC_URL } })

describe('from where a change may come', () => {
  const FROM: [string, () => HeaderMap, boolean][] = [
    ['a program', () => ({}), true],
    ['our own page', () => ({ Origin: on.service.url, 'Sec-Fetch-Site': 'same-origin' }), true],
    ['our page at the public address', () => ({ Origin: PUBLIC_URL, 'Sec-Fetch-Site': 'same-origin' }), true],
    ['no page', () => ({ 'Sec-Fetch-Site': 'none' }), true],
    ['another site', () => ({ 'Sec-Fetch-Site': 'cross-site' }), false],
    ['a sibling host', () => ({ 'Sec-Fetch-Site': 'same-site' }), false],
    ['another origin', () => ({ Origin: 'https://evil.test' }), false],
    ['another port of this host', () => ({ Origin: 'http://127.0.0.1:1' }), false],
    ['a sandboxed page', () => ({ Origin: 'null' }), false],
    ['the public address without TLS', () => ({ Origin: 'http://media.example.test' }), false],
    ['a lie about one of them', () => ({ Origin: on.service.url, 'Sec-Fetch-Site': 'cross-site' }), false],
    [
      'a lie about the other',
      () => ({ Origin: 'https://evil.test', 'Sec-Fetch-Site': 'same-origin' }),
      false,
    ],
  ]

  test.each(FROM)('%s', async (_, headers, allowed) => {
    const own = await signIn(on.service)
    const out = await dash(on.service, 'logout', { method: 'POST', session: own, headers: headers() })
    expect(out.status).toBe(allowed ? 200 : 403)
    expect(await isSignedIn(on.service, own)).toBe(!allowed)
    const entering = await dash(on.service, 'login', { json: ADMIN, headers: headers() })
    expect(entering.headers.has('set-cookie')).toBe(allowed)
    if (!allowed) await expectError(entering, 403, /Website/)
    const setup = { json: { code: 'x', ...ADMIN }, headers: headers() }
    expect((await dash(on.service, 'einrichtung', setup)).status).toBe(allowed ? 409 : 403)
    // A read changes nothing, and no other page can see the answer.
    const reading = await dash(on.service, 'ich', { session: on.session, headers: headers() })
    expect(reading.status).toBe(200)
    expect(reading.headers.has('access-control-allow-origin')).toBe(false)
  })

  test('an attempt from another site is not counted', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    const json = { benutzer: 'somebody', passwort: 'wrong' }
    for (let n = 0; n < 8; n++) await expectError(await dash(on.service, 'login', { json, headers }), 403)
    await expectError(await dash(on.service, 'login', { json }), 401)
  })

  test('unknown routes and wrong methods tell another site nothing', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    await expectError(
      await dash(on.service, 'nowhere', { method: 'POST', session: on.session, headers }),
      403,
    )
    await expectError(await dash(on.service, 'ich', { method: 'POST', session: on.session, headers }), 403)
  })

  test('a preflight is answered without CORS', async () => {
    const headers = {
      Origin: 'https://evil.test',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    }
    for (const route of ['login', 'einrichtung', 'ich', 'nowhere']) {
      const response = await dash(on.service, route, { method: 'OPTIONS', headers })
      expect(response.ok).toBe(false)
      expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('the twin: token routes still have it', async () => {
    const response = await fetch(`${on.service.url}/api/upload`, { method: 'OPTIONS' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('the body', () => {
  const post = (body: string, type?: string) =>
    fetch(`${on.service.url}/api/dash/login`, {
      method: 'POST',
      body: new TextEncoder().encode(body),
      headers: type === undefined ? {} : { 'Content-Type': type },
    })
  const good = JSON.stringify(ADMIN)

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    undefined,
  ])('as %s is read: other sites are refused by their origin, not by the type', async type => {
    expect((await post(good, type)).status).toBe(200)
  })

  test.each(['', '{', '{"benutzer":', 'benutzer=admin', `${good},`])('%j is no JSON', async body => {
    await expectError(await post(body, 'application/json'), 400, /JSON/)
  })

  test.each([
    ['null', /Objekt/],
    ['[]', /Objekt/],
    ['{}', /benutzer/],
    ['{"benutzer":"admin"}', /passwort/],
    ['{"benutzer":["admin"],"passwort":"x"}', /benutzer/],
    ['{"benutzer":"admin","passwort":null}', /passwort/],
    ['{"benutzer":"admin","passwort":""}', /passwort/],
    [`{"benutzer":"${'x'.repeat(65)}","passwort":"x"}`, /benutzer/],
  ])('%s has the wrong shape', async (body, about) => {
    await expectError(await post(body, 'application/json'), 400, about)
  })

  test('above 64 KB is refused before it is read', async () => {
    await expectError(
      await post(JSON.stringify({ ...ADMIN, x: 'x'.repeat(65_536) }), 'application/json'),
      413,
    )
    const announced = { 'Content-Type': 'application/json', 'Content-Length': 1_000_000_000 }
    await expectError(await sendRaw(on.service.port, head('POST /api/dash/login', announced)), 413)
  })
})

describe('FILES_HOST', () => {
  const files = sharedService({ env: { FILES_HOST: 'files.example.test' } })
  const ask = (target: string, host: string) =>
    sendRaw(files.service.port, head(`GET ${target}`, { Host: host }))

  test.each(['files.example.test', 'FILES.example.test:8080', 'files.example.test.'])(
    'on %s there is no dashboard',
    async host => {
      for (const route of ['einrichtung', 'login', 'ich', 'nowhere']) {
        const response = await ask(`/api/dash/${route}`, host)
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
        await expectError(response, 404)
      }
    },
  )

  test('on every other there is', async () => {
    for (const host of ['localhost', 'example.test', 'www.files.example.test']) {
      expect((await ask('/api/dash/einrichtung', host)).status).toBe(200)
      await expectError(await ask('/api/dash/ich', host), 401)
    }
  })

  test('not even with a session, and the set-up cannot be reached there', async () => {
    await using service = await startService({ env: { FILES_HOST: 'files.example.test' } })
    const body = JSON.stringify({ code: setupCode(service), ...ADMIN })
    const request = (host: string) =>
      `${head('POST /api/dash/einrichtung', { Host: host, 'Content-Type': 'application/json', 'Content-Length': body.length })}${body}`
    await expectError(await sendRaw(service.port, request('files.example.test')), 404)
    const made = await sendRaw(service.port, request('localhost'))
    expect(made.status).toBe(200)
    const Cookie = (made.headers.get('set-cookie') ?? '').split(';')[0]!
    const me = (Host: string) => sendRaw(service.port, head('GET /api/dash/ich', { Host, Cookie }))
    expect((await me('localhost')).status).toBe(200)
    await expectError(await me('files.example.test'), 404)
  })
})
