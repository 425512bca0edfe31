/**
 * The dashboard shows files and previews from its own origin: for signed-in users `/api/dash/inhalt/<path>`
 * sends what `/f/<path>` sends, and `/api/dash/vorschau/<path>.webp` what `/t/<path>.webp` sends, without
 * counting a retrieval.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, type HeaderMap, read, store } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { readRetrievals } from '../support/data-folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { png } from '../support/pictures.ts'
import { head, sendRaw } from '../support/raw.ts'

const on = sharedLibrary()
const TEXT = 'x'.repeat(1000)

beforeAll(async () => {
  await store(on.service, on.token, 'a.txt', TEXT)
  await store(on.service, on.token, 'page.html', '<script>1</script>')
  await store(on.service, on.token, 'pic/a.png', await png({ width: 300, height: 200 }))
  await on.previewReady('pic/a.png')
})

const inside = (path: string, headers: HeaderMap = {}, method = 'GET') =>
  dash(on.service, `inhalt/${path}`, { session: on.session, headers, method })

/** Headers that describe the content, and how a browser may treat it. */
const SAME = [
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'content-security-policy',
  'x-content-type-options',
  'accept-ranges',
  'etag',
  'vary',
]
const headersOf = ({ headers }: Response) => SAME.map(name => [name, headers.get(name)])

describe('the same answer as at the public address', () => {
  const CASES: [name: string, path: string, headers: HeaderMap, status: number][] = [
    ['the whole file', 'a.txt', {}, 200],
    ['a part', 'a.txt', { Range: 'bytes=10-19' }, 206],
    ['a part of other bytes', 'a.txt', { Range: 'bytes=10-19', 'If-Range': '"other"' }, 200],
    ['a part beyond the end', 'a.txt', { Range: 'bytes=5000-' }, 416],
    ['what the browser has', 'a.txt', { 'If-None-Match': '*' }, 304],
    ['the WebP variant', 'pic/a.png', { Accept: 'image/webp' }, 200],
    ['the picture as sent', 'pic/a.png', { Accept: 'image/png' }, 200],
    ['a page, which is a download in a sandbox', 'page.html', {}, 200],
    ['nothing', 'gone.txt', {}, 404],
    ['nothing that has a valid path', 'a%2Fb%00', {}, 404],
  ]
  test.each(CASES)('%s', async (_, path, headers, status) => {
    const [own, open] = [await inside(path, headers), await read(on.service, path, headers)]
    expect([own.status, open.status]).toEqual([status, status])
    if (status < 400) expect(headersOf(own)).toEqual(headersOf(open))
    expectSameBytes(await bytesOf(own), await bytesOf(open))
  })

  test('HEAD too; other methods are refused', async () => {
    const own = await inside('a.txt', {}, 'HEAD')
    expect([own.status, own.headers.get('content-length'), await own.text()]).toEqual([200, '1000', ''])
    const posted = await inside('a.txt', {}, 'POST')
    expect(posted.headers.get('allow')).toBe('GET, HEAD')
    await expectError(posted, 405)
  })

  test('and the preview', async () => {
    const own = await dash(on.service, 'vorschau/pic/a.png.webp', { session: on.session })
    const open = await fetch(`${on.service.url}/t/pic/a.png.webp`)
    expect([own.status, headersOf(own)]).toEqual([200, headersOf(open)])
    expectSameBytes(await bytesOf(own), await bytesOf(open))
    await expectError(await dash(on.service, 'vorschau/a.txt.webp', { session: on.session }), 404)
    await expectError(await dash(on.service, 'vorschau/pic/a.png', { session: on.session }), 404)
  })
})

test.each(['inhalt/a.txt', 'vorschau/pic/a.png.webp'])(
  '%s is for one person: kept by no cache on the way, readable by no other site',
  async route => {
    const { headers } = await dash(on.service, route, { session: on.session })
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
    // The public answer, which may be prepared in memory, keeps its own headers.
    const open = await read(on.service, 'a.txt')
    expect(open.headers.get('cache-control')).toBe('public, no-cache')
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
  },
)

test('views in the dashboard are not counted as retrievals, those at the public address are', async () => {
  await store(on.service, on.token, 'count/a.txt', TEXT)
  for (const headers of [{}, {}, { Range: 'bytes=0-9' }, { 'If-None-Match': '*' }]) {
    await (await inside('count/a.txt', headers as HeaderMap)).text()
  }
  await (await read(on.service, 'count/a.txt')).text()
  // Answered from memory, since the file was requested before.
  await (await inside('count/a.txt')).text()
  await on.service.stop()
  expect((await readRetrievals(on.service.dataDir, 'count/a.txt'))?.retrievals).toBe(1)
  await on.service.restart()
})

describe('while files have a host of their own', () => {
  const other = sharedLibrary({ env: { FILES_HOST: 'files.example.test' } })

  test('neither file nor preview answers on any host, and a stranger still gets 401', async () => {
    await store(other.service, other.token, 'a.txt', TEXT)
    const session = await signIn(other.service)
    for (const route of ['inhalt/a.txt', 'vorschau/a.txt.webp']) {
      await expectError(await dash(other.service, route, { session }), 404)
      await expectError(await dash(other.service, route), 401)
    }
    const headers = { Host: 'files.example.test', Cookie: `fundus_sitzung=${session}` }
    await expectError(await sendRaw(other.service.port, head('GET /api/dash/inhalt/a.txt', headers)), 404)
  })
})
