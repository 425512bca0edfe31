/**
 * `POST /api/dash/media/umbenennen`: one file gets another name, and everything that belongs to it follows.
 */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { keys, sharedLibrary } from '../support/library.ts'
import { png } from '../support/pictures.ts'

const on = sharedLibrary({ env: { PUBLIC_URL: 'https://media.example.org' } })

interface Renamed {
  alt: string
  path: string
  url: string
  abrufe: number
}
const ask = (pfad: unknown, name: unknown) => on.post('media/umbenennen', { pfad, name })
const rename = (pfad: string, name: string) => on.done<Renamed>('media/umbenennen', { pfad, name })

describe('renames', () => {
  test('answers old and new path, the new address and the retrievals', async () => {
    await on.fill('um', ['a.txt'])
    const answer = await rename('um/a.txt', 'b.txt')
    expect(keys(answer)).toEqual(['abrufe', 'alt', 'path', 'url'])
    expect(answer).toEqual({
      alt: 'um/a.txt',
      path: 'um/b.txt',
      url: 'https://media.example.org/f/um/b.txt',
      abrufe: 0,
    })
  })

  test('right after retrievals the answer names the true count, the part still in memory included', async () => {
    await on.fill('um', ['oft.txt', 'nie.txt'])
    // With several instances, all requests go to the same one: each counts retrievals in its own memory.
    const { url } = on.service.instances[0]!
    const retrieve = async (path: string, times: number) => {
      for (let n = 0; n < times; n++) await (await read({ url }, path)).text()
    }
    const count = async (...[route, json]: [route: string, json?: object]) => {
      const response = await dash({ url }, route, { session: on.session, ...(json && { json }) })
      return ((await response.json()) as Renamed).abrufe
    }
    const countAfterRename = (pfad: string, name: string) => count('media/umbenennen', { pfad, name })
    await retrieve('um/oft.txt', 3)
    expect(await countAfterRename('um/oft.txt', 'oft2.txt')).toBe(3)
    await retrieve('um/oft2.txt', 2)
    // Renamed to its own name: nothing changes, and the count is returned all the same.
    expect(await countAfterRename('um/oft2.txt', 'oft2.txt')).toBe(5)
    expect(await countAfterRename('um/oft2.txt', 'oft3.txt')).toBe(5)
    expect(await countAfterRename('um/nie.txt', 'nie2.txt')).toBe(0)
    expect(await count('media/um/oft3.txt')).toBe(5)
  })

  test('at once: the old address is 404, the new one has the same bytes, ETag and type', async () => {
    await store(on.service, on.token, 'um/tag.bin', 'the bytes', { 'X-Mime': 'application/x-kept' })
    const before = await read(on.service, 'um/tag.bin')
    const row = await on.file('um/tag.bin')
    await rename('um/tag.bin', 'tag2.bin')
    await expectError(await read(on.service, 'um/tag.bin'), 404)
    await expectError(await on.get('media/um/tag.bin'), 404)
    const after = await read(on.service, 'um/tag2.bin')
    expect(after.status).toBe(200)
    for (const name of ['etag', 'content-type', 'content-length']) {
      expect(after.headers.get(name)).toBe(before.headers.get(name))
    }
    expect(await after.text()).toBe('the bytes')
    expect(await on.file('um/tag2.bin')).toEqual({
      ...row,
      path: 'um/tag2.bin',
      url: 'https://media.example.org/f/um/tag2.bin',
      updated_at: expect.any(Number),
      abrufe: expect.any(Number),
      zuletzt_abgerufen: (await on.file('um/tag2.bin')).zuletzt_abgerufen,
    })
  })

  test('preview and WebP variant follow, and stay after the objects have moved too', async () => {
    await on.fill('um', { 'bild.png': await png({ width: 400, height: 300 }) })
    const preview = await bytesOf(await on.previewReady('um/bild.png'))
    const webp = await read(on.service, 'um/bild.png', { Accept: 'image/webp' })
    expect(webp.headers.get('content-type')).toBe('image/webp')
    const variant = await bytesOf(webp)
    await rename('um/bild.png', 'foto.png')
    for (const wait of [0, 500]) {
      await Bun.sleep(wait)
      const old = await fetch(`${on.service.url}/t/um/bild.png.webp`)
      await expectError(old, 404)
      const followed = await fetch(`${on.service.url}/t/um/foto.png.webp`)
      expect(followed.status).toBe(200)
      expectSameBytes(await bytesOf(followed), preview)
      const again = await read(on.service, 'um/foto.png', { Accept: 'image/webp' })
      expect(again.headers.get('etag')).toBe(webp.headers.get('etag'))
      expectSameBytes(await bytesOf(again), variant)
    }
    expect((await on.file('um/foto.png')).vorschau).toBe('https://media.example.org/t/um/foto.png.webp')
  })

  leftToLong('a picture renamed before its preview is made gets one under its new name', async () => {
    await on.fill('um', { 'eilig.png': await png({ width: 900, height: 700 }) })
    await rename('um/eilig.png', 'gemach.png')
    expect((await on.previewReady('um/gemach.png')).status).toBe(200)
    expect((await fetch(`${on.service.url}/t/um/eilig.png.webp`)).status).toBe(404)
  })

  test.each(['Neu.PNG', 'NEU.png', 'neu.png', 'a..b.txt', 'ohne-endung', '9', 'x_-.y'])(
    'keeps what was typed: %s',
    async name => {
      await on.fill('typ', ['start.txt'])
      expect((await rename('typ/start.txt', name)).path).toBe(`typ/${name}`)
      await on.holds(`typ/${name}`, 'typ/start.txt')
    },
  )

  test('only the case: the two are different paths', async () => {
    await on.fill('fall', ['a.txt'])
    await rename('fall/a.txt', 'A.txt')
    await on.holds('fall/a.txt', null)
    await on.holds('fall/A.txt', 'fall/a.txt')
    await on.fill('fall', { 'a.txt': 'another' })
    await on.holds('fall/a.txt', 'another')
    await on.holds('fall/A.txt', 'fall/a.txt')
  })

  test('at the top, and to a name that is a folder', async () => {
    await on.fill('', ['oben.txt'])
    await rename('oben.txt', 'um')
    await on.holds('um', 'oben.txt')
    expect((await on.below('um')).length).toBeGreaterThan(0)
  })

  test('there and back again, and the freed path takes new content', async () => {
    await on.fill('hin', ['a.txt'])
    await rename('hin/a.txt', 'b.txt')
    await rename('hin/b.txt', 'a.txt')
    await on.holds('hin/a.txt', 'hin/a.txt')
    await rename('hin/a.txt', 'c.txt')
    await on.fill('hin', { 'a.txt': 'new content' })
    await on.holds('hin/a.txt', 'new content')
    await on.holds('hin/c.txt', 'hin/a.txt')
    expect(await on.below('hin')).toEqual(['hin/a.txt', 'hin/c.txt'])
  })

  test('to the name it has: 200, and nothing changes', async () => {
    await on.fill('gleich', ['a.txt'])
    expect((await ask('gleich/a.txt', 'a.txt')).status).toBe(200)
    await on.holds('gleich/a.txt', 'gleich/a.txt')
    expect(await on.below('gleich')).toEqual(['gleich/a.txt'])
  })

  test('the token that stored it still has it', async () => {
    const { token_id } = await storedFile('hat/a.txt')
    await rename('hat/a.txt', 'b.txt')
    expect((await on.file('hat/b.txt')).token_id).toBe(token_id!)
  })
})

async function storedFile(path: string) {
  await store(on.service, on.token, path, 'x')
  return on.file(path)
}

describe('refuses and changes nothing', () => {
  test('a name that is taken: 409, both stay', async () => {
    await on.fill('belegt', ['a.txt', 'b.txt'])
    await expectError(await ask('belegt/a.txt', 'b.txt'), 409, /belegt\/b\.txt/)
    await on.holds('belegt/a.txt', 'belegt/a.txt')
    await on.holds('belegt/b.txt', 'belegt/b.txt')
  })

  // Names with a slash and a few invalid ones; paths.test.ts has them all.
  test.each(['', '..', 'a/b.txt', '/a.txt', 'a.txt/', 'a\\b.txt', 'ä.txt', 'x'.repeat(200)])(
    'the invalid name %j: 400',
    async name => {
      await on.fill('falsch', { 'a.txt': 'kept' })
      await expectError(await ask('falsch/a.txt', name), 400)
      await on.holds('falsch/a.txt', 'kept')
      expect(await on.below('falsch')).toEqual(['falsch/a.txt'])
    },
  )

  test('200 characters are the most', async () => {
    await on.fill('lang', ['a.txt'])
    await expectError(await ask('lang/a.txt', 'x'.repeat(196)), 400)
    expect((await rename('lang/a.txt', 'x'.repeat(195))).path).toHaveLength(200)
    await on.holds(`lang/${'x'.repeat(195)}`, 'lang/a.txt')
  })

  test.each(['nirgends/a.txt', 'nirgends.txt', 'belegt', 'belegt/A.txt'])(
    '%s is not there: 404',
    async path => {
      await on.fill('belegt', { 'a.txt': 'belegt/a.txt' })
      await expectError(await ask(path, 'neu.txt'), 404)
    },
  )

  test('what lies in the trash: 404', async () => {
    await on.fill('weg', ['a.txt'])
    await on.done('media/loeschen', { pfade: ['weg/a.txt'] })
    await expectError(await ask('weg/a.txt', 'b.txt'), 404)
    await on.holds('weg/b.txt', null)
  })

  test.each<[unknown]>([
    [{}],
    [{ pfad: 'belegt/a.txt' }],
    [{ name: 'x.txt' }],
    [{ pfad: 1, name: 'x.txt' }],
    [{ pfad: 'belegt/a.txt', name: null }],
    [{ pfad: ['belegt/a.txt'], name: 'x.txt' }],
    [[]],
    ['text'],
    [null],
  ])('%j: 400', async json => {
    await expectError(await on.post('media/umbenennen', json), 400)
  })

  test('broken JSON: 400', async () => {
    const headers = { 'Content-Type': 'application/json', Cookie: `fundus_sitzung=${on.session}` }
    const address = `${on.service.url}/api/dash/media/umbenennen`
    await expectError(await fetch(address, { method: 'POST', body: '{"pfad": "belegt', headers }), 400)
  })
})
