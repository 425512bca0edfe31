/**
 * `HEAD` announces the length that `GET` has, or none; never 0 if `GET` has a body (RFC 9110 section 9.3.2).
 */
import { beforeAll, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()

/** Values of path parameters; a parameter that is not listed gets a name that does not exist. */
const PLACES: Readonly<Record<string, string>> = { '{pfad}': 'head/a.txt' }
/** Routes whose figures change between two requests. */
const CHANGING = ['/metrics', '/status']
const STREAMS = ['/api/dash/ereignisse']

let addresses: string[] = []
beforeAll(async () => {
  await store(on.service, on.token, 'head/a.txt', 'some text')
  const shared = await dash(on.service, 'freigaben', { session: on.session, json: { ordner: 'head' } })
  const { schluessel } = (await shared.json()) as { schluessel: string }
  const document = (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const described = Object.entries(document.paths)
    .filter(([path, methods]) => 'get' in methods && !STREAMS.includes(path))
    .map(([path]) => path.replace(/\{\w+\}/, name => PLACES[name] ?? '1'))
  addresses = [
    ...described,
    ...[
      `/s/${schluessel}`,
      '/s/unknown',
      '/f/absent.txt',
      '/t/absent.txt.webp',
      '/',
      '/nowhere',
      '/api/nowhere',
    ],
    ...['/api/upload', '/api/dash/ordner', '/api/exists?pfad=head/a.txt', '/api/dash/export?format=csv'],
  ]
})

test.each(['text/html', 'application/json'])('on every address, asked for %s', async accept => {
  const ask = (address: string, method: string) =>
    fetch(on.service.url + address, {
      method,
      headers: {
        Cookie: `fundus_sitzung=${on.session}`,
        Authorization: `Bearer ${on.token}`,
        Accept: accept,
      },
    })
  const wrong: string[] = []
  for (const address of addresses) {
    const got = await ask(address, 'GET')
    const { length } = await got.bytes()
    const asked = await ask(address, 'HEAD')
    const announced = asked.headers.get('content-length')
    expect(await asked.text()).toBe('')
    if (asked.status !== got.status) wrong.push(`${address}: ${asked.status} instead of ${got.status}`)
    const isRight = CHANGING.includes(address) ? announced !== '0' : announced === String(length)
    if (announced !== null && !isRight) wrong.push(`${address}: ${announced} instead of ${length}`)
  }
  expect(wrong).toEqual([])
  expect(addresses.length).toBeGreaterThan(30)
})

test('an event stream, which has no length', async () => {
  const response = await dash(on.service, 'ereignisse', { session: on.session, method: 'HEAD' })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, null])
})
