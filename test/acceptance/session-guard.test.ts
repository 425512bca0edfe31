/**
 * Who gets access to `/api/dash`, whatever the path, method and form of the cookie; access.test.ts covers the
 * routes.
 */
import { describe, expect, test } from 'bun:test'
import { expectError, type HeaderMap } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()

const CLOSED: [method: string, route: string][] = [
  ['HEAD', 'ich'],
  ['GET', 'nowhere'],
  ['POST', 'nowhere/deep/er'],
  ['PUT', 'ich'],
  ['OPTIONS', 'ich'],
  ['OPTIONS', 'nowhere'],
  ['GET', ''],
  ['GET', '%zz'],
  ['GET', 'LOGIN'],
  ['GET', 'login/'],
]

describe.each(CLOSED)('%s /api/dash/%s', (method, route) => {
  const ask = (headers: HeaderMap, given?: string) =>
    dash(on.service, route, { method, headers, ...(given !== undefined && { session: given }) })

  test('is 401 for a stranger, whatever they send', async () => {
    for (const headers of [
      {},
      { Authorization: `Bearer ${on.token}` },
      { Authorization: on.session },
      { Cookie: `fundus_sitzung=${on.token}` },
      { Cookie: `other=${on.session}` },
      { Cookie: `FUNDUS_SITZUNG=${on.session}` },
      { Cookie: `xfundus_sitzung=${on.session}` },
      { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' },
      { 'Content-Type': 'application/json', 'Content-Length': '0' },
    ]) {
      const response = await ask(headers)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      if (method === 'HEAD') expect(response.status).toBe(401)
      else await expectError(response, 401, /Sitzung/)
    }
  })

  test('is not 401 for whoever is signed in', async () => {
    const response = await ask({}, on.session)
    expect(response.status).not.toBe(401)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('/api/dash itself is closed too, and /api/dashboard is simply unknown', async () => {
  await expectError(await fetch(`${on.service.url}/api/dash`), 401)
  await expectError(await fetch(`${on.service.url}/api/dashboard`), 404)
})

test('the cookie is found among others', async () => {
  const headers = { Cookie: `a=b; fundus_sitzung=${on.session}; c=d` }
  expect((await dash(on.service, 'ich', { headers })).status).toBe(200)
})

describe('for whoever is signed in', () => {
  test('an unknown route is 404', async () => {
    await expectError(await dash(on.service, 'nowhere', { session: on.session }), 404)
  })

  test.each([
    ['POST', 'ich', 'GET, HEAD'],
    ['GET', 'logout', 'POST'],
    ['DELETE', 'benutzer', 'GET, HEAD, POST'],
    ['GET', 'benutzer/x', 'PATCH, DELETE'],
    ['OPTIONS', 'ich', 'GET, HEAD'],
  ])('a wrong method is 405: %s %s', async (method, route, allow) => {
    const response = await dash(on.service, route, { method, session: on.session })
    expect(response.headers.get('allow')).toBe(allow)
    await expectError(response, 405)
  })
})

describe('the open routes', () => {
  test.each([
    ['GET', 'login', 'POST'],
    ['OPTIONS', 'login', 'POST'],
    ['DELETE', 'einrichtung', 'GET, HEAD, POST'],
  ])('know their methods: %s %s', async (method, route, allow) => {
    const response = await dash(on.service, route, { method })
    expect(response.headers.get('allow')).toBe(allow)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    await expectError(response, 405)
  })
})
