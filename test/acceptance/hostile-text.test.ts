/**
 * Text that would make a careless parser backtrack: one request must not block the service for others.
 * `test/source` measures each regular expression; this file tests whole requests, libraries included.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { head, sendRaw } from '../support/raw.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService({ env: { TRUST_PROXY: '127.0.0.1' } })
beforeAll(async () => {
  await store(on.service, on.token, 'a.txt', 'hello')
})

/** Milliseconds. Quadratic work on 15 KB always takes longer, a busy machine only occasionally. */
const AT_ONCE = 1000
const TRIES = 20

async function atOnce<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; left > 0; left--) {
    const began = performance.now()
    const result = await work()
    if (performance.now() - began < AT_ONCE) return result
  }
  throw new Error(`None of ${TRIES} tries was answered within ${AT_ONCE} ms`)
}

const answersAtOnce = async (requestLine: string, headers: Record<string, string>): Promise<number> =>
  (await atOnce(() => sendRaw(on.service.port, head(requestLine, headers)))).status

const blanks = (count: number) => ' '.repeat(count)

test('a Range of thousands of blanks does not stop the service: it is none, and the whole is sent', async () => {
  const range = `bytes=${blanks(1200)}-${blanks(2500)}x`
  expect(await answersAtOnce('GET /f/a.txt', { Range: range })).toBe(200)
})

test('the same blanks around a true range leave it one', async () => {
  const range = `bytes=${blanks(1200)}0${blanks(1200)}-${blanks(1200)}1${blanks(1200)}`
  expect(await answersAtOnce('GET /f/a.txt', { Range: range })).toBe(206)
})

/** Request headers, with the beginnings of values that their parsers look for. */
const HEADERS: [name: string, ...starts: string[]][] = [
  ['Range', 'bytes=', 'bytes=0'],
  ['If-None-Match', '"', 'W/'],
  ['If-Range', '"'],
  ['Accept', 'image/webp;', 'text/html;q=', 'image/webp;x="'],
  ['Accept-Encoding', 'br;q='],
  ['Authorization', 'Bearer ', 'Bearer'],
  ['Cookie', 'fundus_sitzung='],
  ['Origin', 'http://', 'http://a:'],
  ['Sec-Fetch-Site', 'same'],
  ['X-Forwarded-For', '1.2.3.4,', '[::', '%'],
  ['X-Request-Id', 'a'],
  ['X-Path', 'a/', 'a.'],
  ['X-Mime', 'image/png;', 'image/png;a="', 'a'],
  ['X-Encoding', 'base64'],
  ['X-Overwrite', 'false'],
  ['Content-Type', 'multipart/form-data; boundary=', 'multipart/form-data;', 'multipart/form-data; a="'],
  ['User-Agent', 'a'],
  ['Access-Control-Request-Headers', 'a,'],
]
const UNITS = [' ', '\t', ';', ',', '0', 'a', '/', '.', '-', '"', '\\"', 'a=b;', 'q=0;', '%', ':', '=', 'a,']
const LENGTH = 12_000
const ROUTES = ['GET /f/a.txt', 'POST /api/upload', 'POST /api/image', 'GET /api/dash/ich', 'GET /s/unknown']

async function readsAtOnce(route: string, name: string, starts: readonly string[]): Promise<void> {
  for (const start of starts) {
    for (const unit of UNITS) {
      const value = `${start}${unit.repeat(LENGTH / unit.length)}x`
      const given = { Cookie: `fundus_sitzung=${on.session}`, 'Content-Length': '0', [name]: value }
      expect(await answersAtOnce(route, given)).toBeWithin(200, 500)
    }
  }
}

describe.each(ROUTES)('%s', route => {
  test.each(HEADERS)('any %s is read at once', (name, ...starts) => readsAtOnce(route, name, starts))
})

test.each(['GET /f/a.txt', 'GET /api/dash/ich'])('%s with any Host is read at once', route =>
  readsAtOnce(route, 'Host', ['localhost', 'localhost:', '[']),
)

test.each([
  ['a file name of marks', `form-data; name="file"; filename="${'.'.repeat(12_000)}x"`],
  ['parameters without end', `form-data; name="file"; ${'a="b";'.repeat(2000)}filename=a`],
  ['an open quote', `form-data; name="file"; filename="${'\\"'.repeat(6000)}`],
])('a form part with %s is read at once', async (_, disposition) => {
  const response = await atOnce(() =>
    fetch(`${on.service.url}/api/image`, {
      method: 'POST',
      body: `--b\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n`,
      headers: { Authorization: on.token, 'Content-Type': 'multipart/form-data; boundary=b' },
    }),
  )
  expect(response.status).toBeWithin(200, 500)
})
