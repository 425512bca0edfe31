/**
 * Edge cases of tokens: how a key is written, and how prefix, delete right and kinds are applied before the
 * body is read.
 */
import { describe, expect, test } from 'bun:test'
import { exists, expectError, type HeaderMap, read, remove, store, upload } from '../support/api.ts'
import { freshPng } from '../support/compat.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { media } from '../support/media.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

describe('closed to', () => {
  test.each<[string, (token: string) => HeaderMap]>([
    ['an empty one', () => ({ Authorization: 'Bearer ' })],
    ['an unknown one', () => ({ Authorization: `Bearer media_${'a'.repeat(43)}` })],
    ['something else altogether', () => ({ Authorization: 'Bearer x' })],
    ['a shortened one', token => ({ Authorization: `Bearer ${token.slice(0, -1)}` })],
    ['a lengthened one', token => ({ Authorization: `Bearer ${token}a` })],
    ['one in other case', token => ({ Authorization: `Bearer ${token.toUpperCase()}` })],
    ['one without its prefix', token => ({ Authorization: `Bearer ${token.slice('media_'.length)}` })],
    ['another scheme', token => ({ Authorization: `Basic ${token}` })],
    ['a cookie', token => ({ Cookie: `token=${token}; fundus_sitzung=${token}` })],
    ['another header', token => ({ 'X-Api-Key': token })],
  ])('%s', async (_, headers) => {
    const request = { method: 'POST', body: 'body', headers: { 'X-Path': 'a.txt', ...headers(on.token) } }
    await leavesNothing(on.service.dataDir, async () => {
      await expectError(await fetch(`${on.service.url}/api/upload`, request), 401, /Token/)
    })
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
