/**
 * What visitors of a share link get beside the list: a page in their language, every folder, a ZIP, previews
 * in chats.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { isShared, testWorkers } from '../support/modes.ts'
import { png } from '../support/pictures.ts'
import { seedFiles } from '../support/seed.ts'
import { sharedService, signedInService } from '../support/shared-service.ts'
import { type Share, share } from '../support/shares.ts'
import { needsTool } from '../support/tools.ts'
import { unzipped } from '../support/unzip.ts'
import { eventually } from '../support/wait.ts'

needsTool('unzip')
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const on = signedInService({ ownProcess: true })
let album: Share
beforeAll(async () => {
  await store(on.service, on.token, 'my/album/b.txt', '12345')
  await store(on.service, on.token, 'my/album/sub/a.png', await png())
  await store(on.service, on.token, 'my/album/sub/deep/c.txt', 'c')
  await store(on.service, on.token, 'my/other.txt', 'secret')
  album = await share(on.service, on.session, 'my/album')
})
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${on.service.url}/s/${path}`, { headers })
const page = async (query = '', language = 'de') =>
  (await get(`${album.schluessel}${query}`, { Accept: BROWSER, 'Accept-Language': language })).text()

describe('the page', () => {
  test.each([
    ['de-DE,de;q=0.9,en;q=0.8', 'de', 'Ordner „my/album“'],
    ['en-US,en;q=0.9', 'en', 'Folder “my/album”'],
    ['fr', 'en', 'Folder “my/album”'],
  ])('for a browser of %s is in %s', async (preferred, language, heading) => {
    const response = await get(album.schluessel, { Accept: BROWSER, 'Accept-Language': preferred })
    expect(response.headers.get('content-language')).toBe(language)
    expect(response.headers.get('vary')).toContain('Accept-Language')
    const html = await response.text()
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).toContain(`<h1>${heading}</h1>`)
    const absent = await get('nobody', { Accept: BROWSER, 'Accept-Language': preferred })
    expect(absent.status).toBe(404)
    expect(await absent.text()).toContain(language === 'de' ? 'gibt es nicht' : 'does not exist')
  })

  test('leads to every folder, and from there back; nothing outside is shown', async () => {
    const seen = new Set<string>()
    const waiting = ['']
    for (let query = waiting.pop(); query !== undefined; query = waiting.pop()) {
      if (seen.has(query)) continue
      seen.add(query)
      const html = await page(query)
      expect(html).not.toContain('other.txt')
      waiting.push(...[...html.matchAll(/href="(\?ordner=[^"]*)"/g)].map(([, address = '']) => address))
    }
    expect([...seen].sort()).toEqual(['', '?ordner=sub', '?ordner=sub%2Fdeep'])
    const deep = await page('?ordner=sub%2Fdeep')
    expect(deep).toContain('/f/my/album/sub/deep/c.txt"')
    expect(deep).not.toContain('b.txt')
  })

  test.each(['../', '..', '/', 'sub/../..', '../other.txt', '%00'])(
    'no folder %s outside of it',
    async text => {
      const response = await get(`${album.schluessel}?ordner=${text}`, { Accept: BROWSER })
      expect(await response.text()).not.toContain('other')
      expect((await get(`${album.schluessel}/zip?ordner=${text}`)).status).toBe(404)
    },
  )
})

describe('a chat that makes a preview', () => {
  test.each([
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2.23.20.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1',
  ])('%s gets the page, though it asks for anything', async agent => {
    const response = await get(album.schluessel, { 'User-Agent': agent, Accept: '*/*' })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain(`<meta property="og:url" content="${album.url}">`)
  })

  test('a program gets the list', async () => {
    for (const agent of ['curl/8.5.0', 'lua-requests', ''])
      expect(
        (await get(album.schluessel, { 'User-Agent': agent, Accept: '*/*' })).headers.get('content-type'),
      ).toStartWith('application/json')
    const json = { 'User-Agent': 'Discordbot/2.0', Accept: 'application/json' }
    expect((await get(album.schluessel, json)).headers.get('content-type')).toStartWith('application/json')
  })
})

describe('the ZIP', () => {
  test('holds the folder with everything below, and nothing else', async () => {
    const response = await get(`${album.schluessel}/zip`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="album-\d{4}-\d\d-\d\d\.zip"$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    const files = await unzipped(response)
    expect(Object.keys(files).sort()).toEqual(['album/b.txt', 'album/sub/a.png', 'album/sub/deep/c.txt'])
    expect(new TextDecoder().decode(files['album/b.txt'])).toBe('12345')
  })

  test('of a subfolder, and its head alone', async () => {
    const files = await unzipped(await get(`${album.schluessel}/zip?ordner=sub`))
    expect(Object.keys(files).sort()).toEqual(['sub/a.png', 'sub/deep/c.txt'])
    const headOnly = await fetch(`${on.service.url}/s/${album.schluessel}/zip`, { method: 'HEAD' })
    expect([headOnly.status, headOnly.headers.get('content-type'), await headOnly.text()]).toEqual([
      200,
      'application/zip',
      '',
    ])
    await expectError(await get(`${album.schluessel}/zip?ordner=nowhere`), 404)
  })

  test('of too many files is refused with a sentence, and the page says so', async () => {
    await seedFiles(on.service.dataDir, 'many/most', 5000)
    const most = await share(on.service, on.session, 'many')
    const html = async () => (await get(most.schluessel, { Accept: BROWSER })).text()
    expect(await html()).toContain(`${most.schluessel}/zip"`)
    await store(on.service, on.token, 'many/one.txt', 'x')
    await expectError(await get(`${most.schluessel}/zip`), 413, /höchstens 5000 Dateien/)
    expect(await html()).not.toContain(`${most.schluessel}/zip"`)
    expect(await html()).toContain('höchstens 5.000 Dateien')
  })

  test('is loaded by a visitor twice at a time from each process; one that is left or ended makes room', async () => {
    // More than all buffers between service and visitor hold, so that no download ends by itself.
    for (const name of ['a', 'b', 'c'])
      await store(on.service, on.token, `large/${name}.bin`, Buffer.alloc(24 * 1024 * 1024, 7))
    const { schluessel } = await share(on.service, on.session, 'large')
    const processes = isShared() || testWorkers() !== null ? 2 : 1
    const open: Pick<ReadableStreamDefaultReader, 'read' | 'cancel'>[] = []
    let next = await get(`${schluessel}/zip`)
    while (next.status === 200 && open.length <= 2 * processes) {
      open.push(next.body!.getReader())
      await open.at(-1)!.read()
      next = await get(`${schluessel}/zip`)
    }
    expect(open.length).toBeWithin(2, 2 * processes + 1)
    expect(next.headers.get('retry-after')).toMatch(/^\d+$/)
    await expectError(next, 429)
    await open.pop()!.cancel()
    await eventually('a place is free', async () => {
      const again = await get(`${schluessel}/zip`)
      await again.body?.cancel()
      return again.status === 200
    })
    for (const reader of open) await reader.cancel()
  })
})

describe('with FILES_HOST', () => {
  const split = sharedService({ env: { ...ADMIN_ENV, FILES_HOST: 'files.example.test' } })

  test('page and ZIP answer on that host alone', async () => {
    await store(split.service, split.token, 'album/a.txt', 'x')
    const { schluessel } = await share(split.service, await signIn(split.service), 'album')
    const ask = async (path: string, host: string) =>
      (
        await fetch(`${split.service.url}/s/${schluessel}${path}`, {
          headers: { Host: host, Accept: BROWSER },
        })
      ).status
    for (const path of ['', '/zip']) {
      expect([path, await ask(path, 'files.example.test')]).toEqual([path, 200])
      expect([path, await ask(path, 'other.test')]).toEqual([path, 404])
    }
  })
})
