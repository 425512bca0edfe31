/** `Last-Modified` on `/f/` and `/t/`, and the conditions that use it (RFC 9110 section 13). */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expectError, type HeaderMap, read, store } from '../support/api.ts'
import { useFolder } from '../support/folder.ts'
import { sharedLibrary } from '../support/library.ts'
import * as pictures from '../support/pictures.ts'
import { needsTool, toolOrFail } from '../support/tools.ts'

const on = sharedLibrary()
const folder = await useFolder()

const put = (path: string, content: string | Uint8Array<ArrayBuffer>) =>
  store(on.service, on.token, path, content)
const dateOf = (response: Response) => Date.parse(response.headers.get('last-modified') ?? 'none')
const second = (time: number) => Math.floor(time / 1000) * 1000
const httpDate = (time: number) => new Date(time).toUTCString()

describe('the date', () => {
  test('is that of the upload, in whole seconds, on every answer with the file', async () => {
    await put('dated/a.txt', 'content')
    const { updated_at } = await on.file('dated/a.txt')
    const tag = (await read(on.service, 'dated/a.txt')).headers.get('etag')!
    const address = `${on.service.url}/f/dated/a.txt`
    const answers = [
      await read(on.service, 'dated/a.txt'),
      await read(on.service, 'dated/a.txt'),
      await read(on.service, 'dated/a.txt', { Range: 'bytes=1-2' }),
      await read(on.service, 'dated/a.txt', { 'If-None-Match': tag }),
      await fetch(address, { method: 'HEAD' }),
      await on.get('inhalt/dated/a.txt'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 206, 304, 200, 200])
    for (const answer of answers) {
      expect(answer.headers.get('last-modified')).toBe(httpDate(second(updated_at)))
      expect(dateOf(answer)).toBeLessThanOrEqual(Date.parse(answer.headers.get('date')!))
    }
  })

  test('of the WebP variant and of the preview is not earlier than that of the file', async () => {
    await put('dated/b.png', await pictures.png({ width: 300, height: 200 }))
    const preview = await on.previewReady('dated/b.png')
    const variant = await read(on.service, 'dated/b.png', { Accept: 'image/webp' })
    const original = await read(on.service, 'dated/b.png')
    expect([variant, preview].map(each => each.headers.get('content-type'))).toEqual([
      'image/webp',
      'image/webp',
    ])
    expect(dateOf(original)).toBe(second((await on.file('dated/b.png')).updated_at))
    for (const derived of [variant, preview]) expect(dateOf(derived)).toBeGreaterThanOrEqual(dateOf(original))
    const since = { 'If-Modified-Since': variant.headers.get('last-modified')!, Accept: 'image/webp' }
    expect((await read(on.service, 'dated/b.png', since)).status).toBe(304)
    const address = `${on.service.url}/t/dated/b.png.webp`
    const date = { 'If-Modified-Since': preview.headers.get('last-modified')! }
    expect((await fetch(address, { headers: date })).status).toBe(304)
  })
})

describe('conditions', () => {
  let date = 0
  let tag = ''
  beforeAll(async () => {
    await put('conditions/a.txt', 'content')
    const response = await read(on.service, 'conditions/a.txt')
    date = dateOf(response)
    tag = response.headers.get('etag')!
  })

  const CASES: [name: string, headers: () => HeaderMap, status: number][] = [
    ['since the date', () => ({ 'If-Modified-Since': httpDate(date) }), 304],
    ['since a later date', () => ({ 'If-Modified-Since': httpDate(date + 3_600_000) }), 304],
    ['since an earlier date', () => ({ 'If-Modified-Since': httpDate(date - 1000) }), 200],
    ['since no date', () => ({ 'If-Modified-Since': 'yesterday' }), 200],
    ['a range since the date', () => ({ 'If-Modified-Since': httpDate(date), Range: 'bytes=1-2' }), 304],
    [
      'another tag before the date',
      () => ({ 'If-None-Match': '"other"', 'If-Modified-Since': httpDate(date) }),
      200,
    ],
    [
      'the tag before an earlier date',
      () => ({ 'If-None-Match': tag, 'If-Modified-Since': httpDate(0) }),
      304,
    ],
    ['unmodified since the date', () => ({ 'If-Unmodified-Since': httpDate(date) }), 200],
    ['unmodified since an earlier date', () => ({ 'If-Unmodified-Since': httpDate(date - 1000) }), 412],
    ['unmodified since no date', () => ({ 'If-Unmodified-Since': 'yesterday' }), 200],
    [
      'the tag before unmodified since',
      () => ({ 'If-Match': tag, 'If-Unmodified-Since': httpDate(date - 1000) }),
      200,
    ],
    ['another tag that must match', () => ({ 'If-Match': '"other"' }), 412],
    ['the tag that must match', () => ({ 'If-Match': tag }), 200],
    ['412 before 304', () => ({ 'If-Match': '"other"', 'If-None-Match': tag }), 412],
    ['a range of the date', () => ({ Range: 'bytes=1-2', 'If-Range': httpDate(date) }), 206],
    ['a range of an earlier date', () => ({ Range: 'bytes=1-2', 'If-Range': httpDate(date - 1000) }), 200],
    ['a range of a later date', () => ({ Range: 'bytes=1-2', 'If-Range': httpDate(date + 1000) }), 200],
    ['a range of the tag', () => ({ Range: 'bytes=1-2', 'If-Range': tag }), 206],
  ]
  // Each twice: the second answer comes prepared from memory.
  test.each(CASES)('%s', async (_, headers, status) => {
    for (const _again of [1, 2]) {
      const response = await read(on.service, 'conditions/a.txt', headers())
      if (status === 412) await expectError(response, 412)
      else expect(response.status).toBe(status)
    }
  })

  test.each(CASES.filter(([name]) => !name.startsWith('a range')))('HEAD: %s', async (_, given, status) => {
    const headers = given()
    const response = await fetch(`${on.service.url}/f/conditions/a.txt`, { method: 'HEAD', headers })
    expect(response.status).toBe(status)
  })

  test('a 304 by date counts as a retrieval, a 412 does not', async () => {
    await put('conditions/counted.txt', 'x')
    for (const headers of [{ 'If-Modified-Since': httpDate(Date.now() + 5000) }, { 'If-Match': '"other"' }]) {
      await (await read(on.service, 'conditions/counted.txt', headers as HeaderMap)).text()
    }
    const renamed = await on.done<{ abrufe: number }>('media/umbenennen', {
      pfad: 'conditions/counted.txt',
      name: 'counted-2.txt',
    })
    expect(renamed.abrufe).toBe(1)
  })
})

describe('other content under the same address is never taken for the earlier one', () => {
  /** Requests the address like a client that knows only dates. */
  async function modified(path: string, since: Response): Promise<string> {
    const response = await read(on.service, path, {
      'If-Modified-Since': since.headers.get('last-modified')!,
    })
    return response.status === 304 ? '304' : response.text()
  }

  test('overwritten within the same second, several times', async () => {
    const seen: Response[] = []
    for (const content of ['one', 'two', 'three', 'four']) {
      await put('again/a.txt', content)
      if (seen.length > 0) expect(await modified('again/a.txt', seen.at(-1)!)).toBe(content)
      const response = await read(on.service, 'again/a.txt')
      expect(await response.text()).toBe(content)
      seen.push(response)
    }
    const first = { Range: 'bytes=1-', 'If-Range': seen[0]!.headers.get('last-modified')! }
    expect((await read(on.service, 'again/a.txt', first)).status).toBe(200)
  })

  test('an older file renamed to the address', async () => {
    await put('again/old.txt', 'older')
    await on.service.restart({}, { clockAhead: 60_000 })
    await put('again/b.txt', 'newer')
    const seen = await read(on.service, 'again/b.txt')
    await on.service.restart({}, { clockAhead: 120_000 })
    await on.done('media/loeschen', { pfade: ['again/b.txt'] })
    await on.done('media/umbenennen', { pfad: 'again/old.txt', name: 'b.txt' })
    expect(await modified('again/b.txt', seen)).toBe('older')
    // Renamed and back again, with its answers in memory.
    const again = await read(on.service, 'again/b.txt')
    await again.text()
    await on.service.restart({}, { clockAhead: 180_000 })
    await read(on.service, 'again/b.txt')
    await on.done('media/umbenennen', { pfad: 'again/b.txt', name: 'c.txt' })
    await on.done('media/umbenennen', { pfad: 'again/c.txt', name: 'b.txt' })
    expect(await modified('again/b.txt', again)).toBe('older')
    expect(await modified('again/b.txt', await read(on.service, 'again/b.txt'))).toBe('304')
    await on.service.restart({}, { clockAhead: 0 })
  })

  test('a file restored from the trash', async () => {
    await put('again/d.txt', 'trashed')
    const { nummern } = await on.done<{ nummern: number[] }>('media/loeschen', { pfade: ['again/d.txt'] })
    await on.service.restart({}, { clockAhead: 60_000 })
    await put('again/d.txt', 'in between')
    const seen = await read(on.service, 'again/d.txt')
    await on.service.restart({}, { clockAhead: 120_000 })
    await on.done('media/loeschen', { pfade: ['again/d.txt'] })
    await on.done('papierkorb/wiederherstellen', { nummern })
    expect(await modified('again/d.txt', seen)).toBe('trashed')
    await on.service.restart({}, { clockAhead: 0 })
  })
})

describe('wget -N', () => {
  needsTool('wget')
  test('fetches once, and again only after a change', async () => {
    const run = async () => {
      const child = Bun.spawn(
        [toolOrFail('wget'), '-N', '--no-verbose', '--no-proxy', `${on.service.url}/f/mirror/wget.bin`],
        { cwd: folder, stdout: 'pipe', stderr: 'pipe', env: { ...process.env, LC_ALL: 'C' } },
      )
      const said = await child.stderr.text()
      return [await child.exited, said.includes('->')]
    }
    await put('mirror/wget.bin', 'first')
    expect(await run()).toEqual([0, true])
    expect(await run()).toEqual([0, false])
    expect(second((await stat(join(folder, 'wget.bin'))).mtimeMs)).toBe(
      second((await on.file('mirror/wget.bin')).updated_at),
    )
    await on.service.restart({}, { clockAhead: 60_000 })
    await put('mirror/wget.bin', 'other')
    expect(await run()).toEqual([0, true])
    expect(await readFile(join(folder, 'wget.bin'), 'utf8')).toBe('other')
    expect(await run()).toEqual([0, false])
    await on.service.restart({}, { clockAhead: 0 })
  })
})

describe('curl -z', () => {
  needsTool('curl')
  test('fetches only what is newer than its copy', async () => {
    const copy = join(folder, 'curl.bin')
    const run = async (...more: string[]) => {
      const child = Bun.spawn(
        [
          toolOrFail('curl'),
          '-sR',
          '--noproxy',
          '*',
          '-o',
          copy,
          '-w',
          '%{http_code}',
          ...more,
          `${on.service.url}/f/mirror/curl.bin`,
        ],
        { stdout: 'pipe', stderr: 'inherit' },
      )
      return child.stdout.text()
    }
    await put('mirror/curl.bin', 'first')
    expect(await run()).toBe('200')
    expect(await run('-z', copy)).toBe('304')
    expect(await readFile(copy, 'utf8')).toBe('first')
    const hourAgo = new Date(Date.now() - 3_600_000)
    await utimes(copy, hourAgo, hourAgo)
    expect(await run('-z', copy)).toBe('200')
  })
})
