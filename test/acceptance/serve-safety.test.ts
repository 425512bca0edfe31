/** Stored content is untrusted: what it may do in a browser, and which sites may read it. */
import { describe, expect, test } from 'bun:test'
import { expectError, type HeaderMap, read, remove, store, upload } from '../support/api.ts'
import { png } from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService()

function expectHarmless(response: Response) {
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const policy = response.headers.get('content-security-policy') ?? ''
  // A bare `sandbox`: every `allow-…` would grant something.
  expect(policy).toMatch(/(^|;)\s*sandbox\s*(;|$)/)
  expect(policy).toMatch(/default-src 'none'/)
}

describe('what a browser could run is a download', () => {
  test.each<[string, HeaderMap]>([
    ['a.html', {}],
    ['a.htm', {}],
    ['a.HTML', {}],
    ['a.xhtml', {}],
    ['a.svg', {}],
    ['a.xml', {}],
    ['a.xsl', {}],
    ['a.js', {}],
    ['a.mjs', {}],
    ['a.css', {}],
    ['a.swf', {}],
    ['a.mht', {}],
    ['a.exe', {}],
    ['a.zip', {}],
    ['a.qqq', {}],
    ['noextension', {}],
    ['b.png', { 'X-Mime': 'text/html' }],
    ['b.png', { 'X-Mime': 'TEXT/HTML' }],
    ['b.png', { 'X-Mime': 'text/html; charset=utf-8' }],
    ['b.png', { 'X-Mime': 'Text/Html;charset="utf-8"' }],
    ['b.png', { 'X-Mime': 'application/xhtml+xml' }],
    ['b.png', { 'X-Mime': 'image/svg+xml' }],
    ['b.png', { 'X-Mime': 'Image/SVG+XML; x="image/png"' }],
    // Browsers treat every `+xml` type as XML.
    ['b.png', { 'X-Mime': 'image/anything+xml' }],
    ['b.png', { 'X-Mime': 'audio/anything+XML; a=b' }],
    ['b.png', { 'X-Mime': 'text/xml' }],
    ['b.png', { 'X-Mime': 'application/rss+xml' }],
    ['b.png', { 'X-Mime': 'text/javascript' }],
    ['b.png', { 'X-Mime': 'multipart/x-mixed-replace' }],
    ['b.png', { 'X-Mime': 'application/x-unknown' }],
    ['b.png', { 'X-Mime': 'x/y' }],
  ])('%s %j', async (name, headers) => {
    await store(on.service, on.token, `safe/${name}`, '<script>alert(1)</script>', headers)
    for (const asked of [{}, { Range: 'bytes=0-3' }, { Accept: 'text/html,image/webp,*/*' }]) {
      const response = await read(on.service, `safe/${name}`, asked)
      expect(response.headers.get('content-disposition') ?? '').toMatch(/^attachment\b/)
      expectHarmless(response)
    }
    const asked = await fetch(`${on.service.url}/f/safe/${name}`, { method: 'HEAD' })
    expect(asked.headers.get('content-disposition') ?? '').toMatch(/^attachment\b/)
  })
})

describe('what is only looked at or listened to is shown', () => {
  test.each<[string, HeaderMap]>([
    ['a.png', {}],
    ['a.PNG', {}],
    ['a.jpg', {}],
    ['a.gif', {}],
    ['a.webp', {}],
    ['a.avif', {}],
    ['a.mp4', {}],
    ['a.webm', {}],
    ['a.mp3', {}],
    ['a.ogg', {}],
    ['a.wav', {}],
    ['a.txt', {}],
    ['page.html', { 'X-Mime': 'image/png' }],
    ['song.bin', { 'X-Mime': 'audio/webm;codecs=opus' }],
    ['b.txt', { 'X-Mime': 'Text/Plain; charset=utf-8' }],
  ])('%s %j', async (name, headers) => {
    await store(on.service, on.token, `shown/${name}`, '<script>alert(1)</script>', headers)
    const response = await read(on.service, `shown/${name}`)
    expect(response.headers.get('content-disposition') ?? 'inline').toMatch(/^inline\b/)
    expectHarmless(response)
  })
})

test('previews are harmless too', async () => {
  await store(on.service, on.token, 'safe/preview.png', await png())
  const response = await eventually('the preview', async () => {
    const answer = await fetch(`${on.service.url}/t/safe/preview.png.webp`)
    return answer.status === 200 && answer
  })
  expectHarmless(response)
})

test('a file name in the disposition, if there is one, cannot break out of the header', async () => {
  await store(on.service, on.token, 'safe/name.html', 'x')
  const disposition = (await read(on.service, 'safe/name.html')).headers.get('content-disposition') ?? ''
  expect(disposition).toMatch(/^attachment(; filename="?name\.html"?)?$/)
})

describe('CORS', () => {
  const origin = { Origin: 'https://game.example.test' }
  const token = () => ({ Authorization: `Bearer ${on.token}` })

  function expectOpen(response: Response) {
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    // Cookies are not used here; with `*` a browser would refuse them anyway.
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  }

  test('on success', async () => {
    const stored = await upload(on.service, on.token, 'x', { 'X-Path': 'cors/a.txt', ...origin })
    expectOpen(stored)
    const found = await fetch(`${on.service.url}/api/exists?pfad=cors/a.txt`, {
      headers: { ...token(), ...origin },
    })
    expectOpen(found)
    const file = await read(on.service, 'cors/a.txt', origin)
    expectOpen(file)
    expectOpen(await read(on.service, 'cors/a.txt', { ...origin, Range: 'bytes=0-0' }))
    expectOpen(await read(on.service, 'cors/a.txt', { ...origin, 'If-None-Match': '*' }))
    expectOpen(await remove(on.service, on.token, 'cors/a.txt'))
  })

  test.each<[number, string, string, HeaderMap]>([
    [404, 'GET', '/f/cors/absent.txt', {}],
    [400, 'GET', '/api/exists?pfad=..', {}],
    [405, 'POST', '/f/cors/a.txt', {}],
    [401, 'POST', '/api/upload', { Authorization: 'Bearer media_wrong' }],
    [401, 'GET', '/api/exists?pfad=a', { Authorization: 'x' }],
    [401, 'DELETE', '/api/media/a', { Authorization: 'x' }],
    [404, 'DELETE', '/api/media/cors/absent.txt', {}],
    [400, 'POST', '/api/upload', { 'X-Path': '../x' }],
  ])('on error %i: %s %s %j', async (status, method, path, headers) => {
    const response = await fetch(`${on.service.url}${path}`, {
      method,
      headers: { ...token(), ...origin, ...headers },
      ...(method === 'POST' && { body: 'x' }),
    })
    expectOpen(response)
    await expectError(response, status)
  })

  test.each([
    [
      '/api/upload',
      'POST',
      ['authorization', 'x-path', 'x-encoding', 'x-overwrite', 'x-mime', 'content-type'],
    ],
    ['/api/exists', 'GET', ['authorization']],
    ['/api/exists/a.png', 'GET', ['authorization']],
    ['/api/media/a.png', 'DELETE', ['authorization']],
    ['/f/a.png', 'GET', ['range', 'if-none-match']],
  ])('preflight of %s allows %s with %j, without a token', async (path, method, wanted) => {
    const response = await fetch(`${on.service.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': wanted.join(','),
      },
    })
    expect(response.status).toBe(204)
    expectOpen(response)
    const list = (name: string) =>
      (response.headers.get(name) ?? '').split(',').map(item => item.trim().toLowerCase())
    expect(list('access-control-allow-methods')).toContain(method.toLowerCase())
    // Listed by name, because `*` does not cover Authorization (Fetch standard, section 3.2.4).
    for (const header of wanted) expect(list('access-control-allow-headers')).toContain(header)
  })

  test('a script may read what it needs from the answer', async () => {
    await store(on.service, on.token, 'cors/read.txt', 'x')
    const exposed = (await read(on.service, 'cors/read.txt', origin)).headers.get(
      'access-control-expose-headers',
    )
    for (const header of ['etag', 'content-range', 'content-length']) {
      expect((exposed ?? '').toLowerCase()).toContain(header)
    }
  })
})
