/**
 * Calls from an in-game browser: it may read every answer, errors included, and the preflight names the
 * headers that it needs.
 */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { BASE64_ROUTE, FORM_ROUTES, file, freshPng, post, postBase64, put } from '../support/compat.ts'
import { media } from '../support/media.ts'
import { MULTIPART } from '../support/multipart.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: { MAX_UPLOAD_MB: '0.5' } })

const ORIGIN = 'https://cfx-nui-phone'
const POSTED = [...FORM_ROUTES, BASE64_ROUTE]
const DELETED = ['/api/v3/file/x', '/api/image/delete/x', '/api/video/delete/x', '/api/audio/delete/x']
const PRESIGNED = ['/api/v2/presigned-url', '/api/v3/file/presigned-url']

/** Any page may read the answer, and it neither reads nor sets a cookie. */
function expectOpen(response: Response): void {
  expect(response.headers.get('access-control-allow-origin') ?? '').toBeOneOf(['*', ORIGIN])
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  expect(response.headers.get('set-cookie')).toBeNull()
}

const list = (response: Response, name: string) =>
  (response.headers.get(name) ?? '').split(',').map(item => item.trim().toLowerCase())

function preflight(path: string, method: string, headers: string[]): Promise<Response> {
  return fetch(`${on.service.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      Origin: ORIGIN,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': headers.join(','),
    },
  })
}

describe('preflight, without a key', () => {
  const asked = [
    ...POSTED.map(path => ['POST', path] as const),
    ...DELETED.map(path => ['DELETE', path] as const),
    ...PRESIGNED.map(path => ['GET', path] as const),
  ]
  test.each(asked)('%s %s names Authorization', async (method, path) => {
    const response = await preflight(path, method, ['authorization', 'content-type'])
    expect(response.status).toBe(204)
    expectOpen(response)
    expect(list(response, 'access-control-allow-methods')).toContain(method.toLowerCase())
    // Listed by name, because `*` does not cover Authorization (Fetch standard, section 3.2.4).
    for (const header of ['authorization', 'content-type']) {
      expect(list(response, 'access-control-allow-headers')).toContain(header)
    }
    expect(await response.text()).toBe('')
  })

  test.each([
    ['POST', '/api/image'],
    ['POST', '/api/upload'],
    ['DELETE', '/api/media/a.png'],
    ['GET', '/f/a.png'],
    ['GET', '/api/v3/file/presigned-url'],
  ])('%s %s allows the headers that the caller asks for, and Authorization', async (method, path) => {
    const asked = ['x-client-version', 'sentry-trace', 'Baggage', "!#$%&'*+-.^_`|~"]
    const response = await preflight(path, method, asked)
    const allowed = list(response, 'access-control-allow-headers')
    for (const header of [...asked, 'authorization']) expect(allowed).toContain(header.toLowerCase())
    expect(list(response, 'vary')).toContain('access-control-request-headers')
  })

  test('the twin: what is no name of a header is not repeated, nor is an endless list', async () => {
    const wrong = ['a b', 'x:y', '<script>', '"q"', '{}', 'größe'.replace(/[^a-z]/g, '@'), '']
    const response = await preflight('/api/image', 'POST', [...wrong, 'x-good'])
    const allowed = list(response, 'access-control-allow-headers')
    expect(allowed).toContain('x-good')
    for (const header of wrong) expect(allowed).not.toContain(header)
    const endless = Array.from({ length: 600 }, (_, at) => `x-${at}`)
    const bounded = await preflight('/api/image', 'POST', endless)
    expect(list(bounded, 'access-control-allow-headers')).toContain('authorization')
    expect((bounded.headers.get('access-control-allow-headers') ?? '').length).toBeLessThan(2000)
  })

  test.each(POSTED)('the twin: %s does not promise what it does not do', async path => {
    const methods = list(await preflight(path, 'PUT', []), 'access-control-allow-methods')
    expect(methods).not.toContain('put')
    expect(methods).not.toContain('*')
  })

  test.each(['/api/dash/login', '/api/dash/tokens', '/api/dash/ich'])(
    'the twin: %s says nothing to other origins',
    async path => {
      const response = await preflight(path, 'POST', ['content-type'])
      for (const name of ['origin', 'methods', 'headers', 'credentials']) {
        expect(response.headers.get(`access-control-allow-${name}`)).toBeNull()
      }
    },
  )
})

describe('answers', () => {
  const headers = { Origin: ORIGIN }

  test.each(FORM_ROUTES)('200 of %s', async route => {
    const field = route.split('/').at(-1)!
    const bytes = { video: media('clip.mp4'), audio: media('tone.mp3') }[field] ?? (await freshPng())
    const response = await post(on.service, route, on.token, [file(field, bytes)], headers)
    expect(response.status).toBe(200)
    expectOpen(response)
  })

  test(`200 of ${BASE64_ROUTE}`, async () => {
    const base64 = Buffer.from(await freshPng()).toString('base64')
    expectOpen(await postBase64(on.service, on.token, { base64 }))
  })

  test('200 of the stored file', async () => {
    const { path } = await put(on.service, '/api/image', on.token, [file('image', await freshPng())])
    expectOpen(await fetch(`${on.service.url}/f/${path}`, { headers }))
  })

  test('200 of deleting', async () => {
    const { id } = await put(on.service, '/api/image', on.token, [file('image', await freshPng())])
    const response = await fetch(`${on.service.url}/api/v3/file/${id}`, {
      method: 'DELETE',
      headers: { ...headers, Authorization: on.token },
    })
    expect(response.status).toBe(200)
    expectOpen(response)
  })

  describe.each(FORM_ROUTES)('errors of %s', route => {
    const field = route.split('/').at(-1)!

    test('400, 401, 413', async () => {
      for (const [status, token, content] of [
        [400, on.token, ''],
        [401, null, await freshPng()],
        [401, 'media_unknown', await freshPng()],
        [413, on.token, new Uint8Array(524_289)],
      ] as const) {
        const response = await post(on.service, route, token, [file(field, content)], headers)
        expectOpen(response)
        await expectError(response, status)
      }
    })

    test('403', async () => {
      const token = await on.tokenWith('--kinds', 'sonstige')
      const bytes = { video: media('clip.mp4'), audio: media('tone.mp3') }[field] ?? (await freshPng())
      const response = await post(on.service, route, token, [file(field, bytes)], headers)
      expectOpen(response)
      await expectError(response, 403)
    })

    test('405', async () => {
      const response = await fetch(`${on.service.url}${route}`, { method: 'PUT', headers })
      expectOpen(response)
      await expectError(response, 405)
    })
  })

  test.each(FORM_ROUTES.filter(route => !route.endsWith('/file')))('415 of %s', async route => {
    const response = await post(on.service, route, on.token, [file('file', 'text')], headers)
    expectOpen(response)
    await expectError(response, 415)
  })

  test.each([
    [401, 'DELETE', '/api/v3/file/x', {}],
    [404, 'DELETE', '/api/v3/file/x', { Authorization: 'key' }],
    [404, 'DELETE', '/api/image/delete/x', { Authorization: 'key' }],
    [404, 'GET', '/api/v2/presigned-url', {}],
    [404, 'GET', '/api/v3/file/presigned-url', { Authorization: 'key' }],
    [404, 'POST', '/api/nowhere', {}],
    [404, 'GET', '/f/nothing.png', {}],
    [400, 'POST', BASE64_ROUTE, { Authorization: 'key', 'Content-Type': 'application/json' }],
    [400, 'POST', '/api/image', { Authorization: 'key', ...MULTIPART }],
  ])('%i of %s %s', async (status, method, path, given) => {
    const key = 'Authorization' in given ? { Authorization: on.token } : {}
    const response = await fetch(`${on.service.url}${path}`, {
      method,
      headers: { ...given, ...headers, ...key },
      ...(method === 'POST' && { body: '{' }),
    })
    expectOpen(response)
    await expectError(response, status)
  })
})
