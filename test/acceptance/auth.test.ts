/** Who may do what: 401 and 403, before a single byte of the body is wanted. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { exists, expectError, type HeaderMap, read, remove, store, upload } from '../support/api.ts'
import { freshPng } from '../support/compat.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { media } from '../support/media.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

interface Route {
  method: string
  path: string
}
const ROUTES: Route[] = [
  { method: 'POST', path: '/api/upload' },
  { method: 'GET', path: '/api/exists?pfad=a.txt' },
  { method: 'GET', path: '/api/exists/a.txt' },
  { method: 'DELETE', path: '/api/media/a.txt' },
]

function call({ method, path }: Route, headers: HeaderMap): Promise<Response> {
  return fetch(`${on.service.url}${path}`, {
    method,
    headers: { 'X-Path': 'a.txt', ...headers },
    ...(method === 'POST' && { body: 'body' }),
  })
}

describe.each(ROUTES)('$method $path is closed to', route => {
  test.each<[string, (token: string) => HeaderMap]>([
    ['no token', () => ({})],
    ['an empty one', () => ({ Authorization: 'Bearer ' })],
    ['an unknown one', () => ({ Authorization: `Bearer media_${'a'.repeat(43)}` })],
    ['something else altogether', () => ({ Authorization: 'Bearer x' })],
    ['a shortened one', token => ({ Authorization: `Bearer ${token.slice(0, -1)}` })],
    ['a lengthened one', token => ({ Authorization: `Bearer ${token}a` })],
    ['one in other case', token => ({ Authorization: `Bearer ${token.toUpperCase()}` })],
    ['one without its prefix', token => ({ Authorization: `Bearer ${token.slice('media_'.length)}` })],
    ['the key bare', token => ({ Authorization: token })],
    ['another scheme', token => ({ Authorization: `Basic ${token}` })],
    ['a cookie', token => ({ Cookie: `token=${token}; fundus_sitzung=${token}` })],
    ['another header', token => ({ 'X-Api-Key': token })],
  ])('%s', async (_, headers) => {
    await leavesNothing(on.service.dataDir, async () => {
      await expectError(await call(route, headers(on.token)), 401, /Token/)
    })
  })

  test('the key in the query', async () => {
    const path = `${route.path}${route.path.includes('?') ? '&' : '?'}apiKey=${on.token}`
    await expectError(await call({ ...route, path }, {}), 401, /Token/)
  })

  test('an expired token, with the date in the sentence', async () => {
    const expired = await on.tokenWith('--may-delete', '--valid-until', '2020-06-15')
    const response = await call(route, { Authorization: `Bearer ${expired}` })
    await expectError(response, 401, /15\. ?(0?6\. ?|Juni )2020|2020-06-15/)
  })

  test('but not to a valid one', async () => {
    await store(on.service, on.token, 'a.txt', 'x')
    const later = await on.tokenWith('--may-delete', '--valid-until', '2099-12-31')
    expect((await call(route, { Authorization: `Bearer ${later}` })).status).toBe(200)
  })
})

describe('prefix', () => {
  test.each(['items', 'items/'])('%s opens what lies below it', async prefix => {
    const token = await on.tokenWith('--prefix', prefix)
    await store(on.service, token, 'items/a.png', 'x')
    await store(on.service, token, 'items/deep/er/b.png', 'x')
  })

  test.each(['items', 'items.png', 'items2/a.png', 'Items/a.png', 'other/items/a.png', 'a.png'])(
    'items closes %s with 403, nothing stored',
    async path => {
      const token = await on.tokenWith('--prefix', 'items')
      await leavesNothing(on.service.dataDir, async () => {
        await expectError(await upload(on.service, token, 'x', { 'X-Path': path }), 403)
      })
    },
  )

  test('a path that would climb out is invalid before it is forbidden', async () => {
    const token = await on.tokenWith('--prefix', 'items')
    await expectError(await upload(on.service, token, 'x', { 'X-Path': 'items/../a.png' }), 400)
  })

  test('it does not narrow exists', async () => {
    await store(on.service, on.token, 'outside.txt', 'x')
    const token = await on.tokenWith('--prefix', 'items')
    expect(await exists(on.service, token, 'outside.txt')).toBe(true)
  })
})

describe('the delete right', () => {
  test('without it 403, and the file stays', async () => {
    const token = await on.tokenWith()
    await store(on.service, token, 'del/kept.txt', 'x')
    await expectError(await remove(on.service, token, 'del/kept.txt'), 403)
    expect((await read(on.service, 'del/kept.txt')).status).toBe(200)
  })

  test('without it 403 also for what is not there: nothing is told', async () => {
    await expectError(await remove(on.service, await on.tokenWith(), 'del/absent.txt'), 403)
  })

  test('it reaches only below the prefix', async () => {
    const token = await on.tokenWith('--may-delete', '--prefix', 'del/mine')
    await store(on.service, on.token, 'del/mine2.txt', 'x')
    await store(on.service, token, 'del/mine/a.txt', 'x')
    await expectError(await remove(on.service, token, 'del/mine2.txt'), 403)
    expect((await remove(on.service, token, 'del/mine/a.txt')).status).toBe(200)
    expect((await read(on.service, 'del/mine2.txt')).status).toBe(200)
  })
})

describe('kinds', () => {
  test.each([
    ['k/a.png', {}, 200],
    ['k/a.mp4', {}, 200],
    ['k/a.txt', { 'X-Mime': 'image/png' }, 200],
    ['k/a.mp3', {}, 403],
    ['k/a.pdf', {}, 403],
    ['k/a.txt', {}, 403],
    ['k/a.bin', {}, 403],
    ['k/b.png', { 'X-Mime': 'text/plain' }, 403],
    ['k/b.png', { 'X-Mime': 'Audio/MPEG; rate=8000' }, 403],
  ])('images and video only: %s %j answers %i', async (path, headers, status) => {
    const token = await on.tokenWith('--kinds', 'bilder,video')
    const response = await upload(on.service, token, await freshPng(), { 'X-Path': path, ...headers })
    if (status === 200) expect(response.status).toBe(200)
    else await expectError(response, status)
  })

  test.each([
    ['dokumente', 'k/c.pdf', 'k/c.mp3', 'x'],
    ['audio', 'k/d.mp3', 'k/d.mp4', media('tone.mp3')],
    ['sonstige', 'k/e.bin', 'k/e.png', 'x'],
  ])('%s lets %s in and not %s', async (kind, inside, outside, bytes) => {
    const token = await on.tokenWith('--kinds', kind)
    await store(on.service, token, inside, bytes)
    await expectError(await upload(on.service, token, bytes, { 'X-Path': outside }), 403)
  })
})

describe('decided before the body is read', () => {
  const announced = (headers: HeaderMap) =>
    head('POST /api/upload', { 'X-Path': 'early/a.txt', 'Content-Length': 60_000_000, ...headers })

  test.each<[number, string, () => Promise<HeaderMap>]>([
    [401, 'no token', async () => ({})],
    [401, 'unknown token', async () => ({ Authorization: 'Bearer media_unknown' })],
    [
      403,
      'outside the prefix',
      async () => ({ Authorization: `Bearer ${await on.tokenWith('--prefix', 'x')}` }),
    ],
    [
      403,
      'kind not allowed',
      async () => ({ Authorization: `Bearer ${await on.tokenWith('--kinds', 'bilder')}` }),
    ],
    [400, 'invalid path', async () => ({ Authorization: `Bearer ${on.token}`, 'X-Path': '../a' })],
    [400, 'invalid X-Mime', async () => ({ Authorization: `Bearer ${on.token}`, 'X-Mime': 'png' })],
  ])('%i: %s', async (status, _, headers) => {
    using connection = await openRaw(on.service.port)
    await connection.write(announced(await headers()))
    await expectError(await connection.answer(), status)
  })

  test('the twin: with a good token the answer waits for the body', async () => {
    using connection = await openRaw(on.service.port)
    await connection.write(announced({ Authorization: `Bearer ${on.token}` }))
    await expect(connection.answer({ deadlineMs: 300 })).rejects.toThrow('time is up')
  })
})

test('neither clear text nor hash of a token is ever in the log or in the answer', async () => {
  await store(on.service, on.token, 'log/a.txt', 'x')
  await fetch(`${on.service.url}/api/upload?apiKey=${on.token}`, { method: 'POST', body: 'x' })
  await fetch(`${on.service.url}/f/log/a.txt?apiKey=${on.token}`)
  await fetch(`${on.service.url}/nowhere/${on.token}?apiKey=${on.token}`)
  const wrong = `media_${'wrong'.repeat(8)}`
  const answer = await upload(on.service, wrong, 'x', { 'X-Path': 'log/b.txt' })
  expect(await answer.text()).not.toContain(wrong)
  await on.service.restart()
  const log = on.service.output()
  for (const secret of [on.token, on.token.slice('media_'.length), wrong]) {
    expect(log).not.toContain(secret)
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(log).not.toContain(createHash('sha256').update(secret).digest(form))
    }
  }
})
