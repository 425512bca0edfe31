/** A compressed body is refused with 415, not stored as it was sent, on every route that accepts a file. */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { BASE64_ROUTE, FORM_ROUTES } from '../support/compat.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { signedInService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const on = signedInService()

const ROUTES = ['/api/upload', ...FORM_ROUTES, BASE64_ROUTE, '/api/dash/upload']
let sent = 0
const picture = () => `<svg xmlns="http://www.w3.org/2000/svg" id="x${sent++}"/>`

function send(route: string, encoding: string): Promise<Response> {
  const json = route === BASE64_ROUTE
  const part = { name: 'file', filename: 'a.svg', type: 'image/svg+xml', content: picture() }
  return fetch(`${on.service.url}${route}`, {
    method: 'POST',
    body: json ? JSON.stringify({ base64: Buffer.from(picture()).toString('base64') }) : multipart([part]),
    headers: {
      ...(json ? { 'Content-Type': 'application/json' } : MULTIPART),
      'Content-Encoding': encoding,
      ...(route.startsWith('/api/dash')
        ? { Cookie: `fundus_sitzung=${on.session}` }
        : { Authorization: `Bearer ${on.token}` }),
    },
  })
}

describe.each(ROUTES)('POST %s', route => {
  test.each(['gzip', 'BR', 'identity, unheard-of'])('Content-Encoding: %s is 415', async encoding => {
    await storesNothing(on.service.dataDir, async () => {
      const response = await send(route, encoding)
      expect(response.headers.get('accept-encoding')).toBe('identity')
      await expectError(response, 415, /Content-Encoding/)
    })
  })

  test.each(['Identity', ' identity , identity ', ''])('the twin: „%s“ is no packing', async encoding => {
    // A route for one kind refuses an SVG because of its kind, and for no other reason.
    const taken = !/video|audio/.test(route)
    const response = await send(route, encoding)
    if (taken) expect(response.status).toBe(200)
    else await expectError(response, 415, /Art/)
  })
})

test('who may not upload is told that first', async () => {
  const headers = { 'Content-Encoding': 'gzip' }
  for (const route of ROUTES)
    await expectError(await fetch(`${on.service.url}${route}`, { method: 'POST', body: 'x', headers }), 401)
})
