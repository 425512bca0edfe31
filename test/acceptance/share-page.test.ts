/** A share link in a browser, with many files, and on the files' host. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { png } from '../support/pictures.ts'
import { memoryOf } from '../support/processes.ts'
import { head, sendRaw } from '../support/raw.ts'
import { seedFiles } from '../support/seed.ts'
import { sharedService, signedInService } from '../support/shared-service.ts'
import { readShare, type Share, share } from '../support/shares.ts'
import { eventually } from '../support/wait.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const on = signedInService({ ownProcess: true })
let album: Share
beforeAll(async () => {
  await store(on.service, on.token, 'album/b.txt', '12345')
  await store(on.service, on.token, 'album/Sub/a.png', await png())
  album = await share(on.service, on.session, 'album')
})
const page = (link: Share, query = '', headers = {}) =>
  fetch(`${on.service.url}/s/${link.schluessel}${query}`, { headers: { Accept: BROWSER, ...headers } })

describe('in a browser', () => {
  test('a German page of the files, with the preview of the picture', async () => {
    await eventually('the preview', async () =>
      (await (await page(album)).text()).includes('/t/album/Sub/a.png.webp"'),
    )
    const response = await page(album)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('vary')).toContain('Accept')
    const html = await response.text()
    expect(html).toStartWith('<!doctype html>\n<html lang="de">')
    expect(html).toContain('name="viewport"')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).toContain(`href="http://localhost:${on.service.port}/f/album/b.txt"`)
    expect(html).toContain('5 Byte')
  })

  test('under a strict policy, kept by no cache', async () => {
    const { headers } = await page(album)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; img-src 'self' http:\/\/localhost:\d+ data:; style-src 'sha256-/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  test('shows no more than the list does', async () => {
    const html = await (await page(album)).text()
    expect(html).not.toMatch(/[0-9a-f]{64}|token|Token test/)
  })

  test('the name of the service cannot break out', async () => {
    const json = { DIENST: '<b>"Haus" & Hof</b>' }
    await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })
    const html = await (await page(album)).text()
    expect(html).toContain('&lt;b&gt;&quot;Haus&quot; &amp; Hof&lt;/b&gt;')
    expect(html).not.toContain('<b>')
    await dash(on.service, 'einstellungen', { method: 'PUT', json: { DIENST: '' }, session: on.session })
  })

  test('nothing outside the folder, whatever page is asked for', async () => {
    await store(on.service, on.token, 'albums/secret.txt', 'x')
    for (const query of [
      '?nach=',
      '?nach=../x',
      '?nach=zzzz',
      '?nach=%00',
      '?nach=%F0',
      '?nach=A',
      '?other=1',
    ]) {
      const html = await (await page(album, query)).text()
      expect([query, html.includes('secret')]).toEqual([query, false])
    }
  })
})

describe('a link that is unknown or withdrawn', () => {
  const ask = (key: string, accept: string) =>
    fetch(`${on.service.url}/s/${key}`, { headers: { Accept: accept } })

  test('a browser gets a small page with the sentence, a program the JSON; both links answer the same', async () => {
    const { schluessel } = await share(on.service, on.session, 'album')
    await dash(on.service, `freigaben?schluessel=${schluessel}`, { method: 'DELETE', session: on.session })
    const sentence = await expectError(await ask(schluessel, '*/*'), 404)
    expect(await expectError(await ask('gibtesnicht', 'application/json'), 404)).toBe(sentence)
    const [withdrawn, unknown, good] = [
      await ask(schluessel, BROWSER),
      await ask('gibtesnicht', BROWSER),
      await page(album),
    ]
    const html = await withdrawn.text()
    expect([withdrawn.status, unknown.status]).toEqual([404, 404])
    expect(html).toStartWith('<!doctype html>\n<html lang="de">')
    expect(html).toContain(sentence)
    expect(html).not.toContain('<script')
    expect(await unknown.text()).toBe(html)
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name))
    expect(headersOf(withdrawn)).toEqual(headersOf(unknown))
    for (const [name, value] of headersOf(good))
      expect([name, withdrawn.headers.get(name)]).toEqual([name, value])
  })
})

describe('a folder of 50 000 files', () => {
  const COUNT = 50_000
  let many: Share
  beforeAll(async () => {
    await seedFiles(on.service.dataDir, 'many', COUNT)
    many = await share(on.service, on.session, 'many')
  })

  test('is listed whole, in order, in the memory of a short one', async () => {
    await readShare(on.service, album)
    const before = memoryOf(on.service.pid)
    const { dateien } = await readShare(on.service, many)
    expect(dateien).toHaveLength(COUNT)
    const names = dateien.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(memoryOf(on.service.pid) - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('pages that lead to one another show each file once', async () => {
    const seen: string[] = []
    let query: string | undefined = ''
    for (let pages = 0; pages < 3 && query !== undefined; pages++) {
      const html: string = await (await page(many, query)).text()
      seen.push(...[...html.matchAll(/class="name">([^<]*)</g)].map(([, name = '']) => name))
      query = /href="(\?nach=[^"]*)"/.exec(html)?.[1]
    }
    expect(seen).toHaveLength(600)
    const { dateien } = await readShare(on.service, many)
    expect(seen).toEqual(dateien.slice(0, 600).map(({ name }) => name))
  })

  test('a reader that goes away in the middle leaves the service well', async () => {
    const reader = (await fetch(`${on.service.url}/s/${many.schluessel}`)).body!.getReader()
    await reader.read()
    await reader.cancel()
    expect((await readShare(on.service, album)).dateien).not.toHaveLength(0)
  })
})

describe('with FILES_HOST', () => {
  const split = sharedService({ env: { ...ADMIN_ENV, FILES_HOST: 'files.example.test' } })

  test('links answer on that host alone, and are made on the others', async () => {
    await store(split.service, split.token, 'album/a.txt', 'x')
    const { schluessel } = await share(split.service, await signIn(split.service), 'album')
    const ask = (host: string) => sendRaw(split.service.port, head(`GET /s/${schluessel}`, { Host: host }))
    expect((await ask('files.example.test')).status).toBe(200)
    await expectError(await ask('other.test'), 404)
  })
})

/** Fails if the tables change and the rows seeded here no longer match. */
test('the seeded rows look like stored ones', async () => {
  const [row] = await onDatabase<object>(
    on.service.dataDir,
    "select * from media where path = 'many/000001.png'",
  )
  expect(row).toMatchObject({ kind: 'bilder', mime: 'image/png', derived: 'done' })
})
