/**
 * The dashboard's pages and files as a browser receives them: caching, compression, policy, and which paths
 * stay a 404.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expectError } from '../support/api.ts'
import { useFolder } from '../support/folder.ts'
import { head, sendRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const REPOSITORY = resolve(import.meta.dir, '../..')

beforeAll(() => {
  const script = join(REPOSITORY, 'dashboard/scripts/build.ts')
  expect(Bun.spawnSync([process.execPath, script, '--if-needed']).exitCode).toBe(0)
})

describe('pages', () => {
  const on = sharedService({ env: { PUBLIC_URL: 'https://media.example.test' } })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${on.service.url}${path}`, { headers: HTML, ...init })
  const script = async () => /src="(\/assets\/[^"]+\.js)"/.exec(await (await ask('/')).text())![1]!

  test.each([
    '/',
    '/dateien',
    '/dateien/fehlende',
    '/anmelden',
    '/gibt/es/nicht',
    '/stamp',
    '/dateien?ordner=a',
  ])('%s is the page, asked for again each time', async path => {
    const response = await ask(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toStartWith('<!doctype html>')
  })

  test('its policy lets nothing run but our own files', async () => {
    const { headers } = await ask('/')
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy.find(each => each.startsWith('script-src '))).toMatch(/^script-src 'nonce-[0-9a-z]{26}'$/)
    expect(policy).toContain("style-src-attr 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("img-src 'self' data: blob:")
    expect(policy).toContain("media-src 'self' blob:")
    expect(policy).toContain("manifest-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('no script stands in the page, no style but that of its outline, and nothing comes from elsewhere', async () => {
    const whole = await (await ask('/')).text()
    const entrance = await (await ask('/anmelden')).text()
    expect(whole + entrance).not.toMatch(/\sstyle=/)
    const html = whole.replace(/<style[^>]*>#shell\{[^<]*<\/style>/, '') + entrance
    expect(html).not.toMatch(/<style|\son\w+=|<script(?![^>]*\ssrc="\/assets\/)/)
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  test('installable: the page names a manifest, and the manifest names icons that are there', async () => {
    const path = /<link rel="manifest" href="([^"]+)"/.exec(await (await ask('/')).text())![1]!
    const response = await ask(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/manifest+json',
    ])
    const manifest = (await response.json()) as { icons: { src: string; sizes: string; type: string }[] }
    expect(manifest).toMatchObject({ name: 'Fundus', display: 'standalone', start_url: '/start' })
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
    for (const { src, type } of manifest.icons) {
      const icon = await ask(src)
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type])
    }
    await expectError(await ask('/other.webmanifest'), 404)
  })

  test('files with a hash are kept for ever, and come compressed as asked for', async () => {
    const path = await script()
    const sizes: number[] = []
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await ask(path, { headers: { 'Accept-Encoding': accepted }, method: 'HEAD' })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      sizes.push(Number(response.headers.get('content-length')))
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    const plain = await ask(path, { headers: { 'Accept-Encoding': 'identity' } })
    expect((await plain.bytes()).length).toBe(sizes[2]!)
    expect(await (await ask(path)).text()).toBe(await (await ask(path)).text())
  })

  test('a known ETag answers 304, another one does not', async () => {
    const etag = (await ask('/')).headers.get('etag')!
    const known = await ask('/', { headers: { ...HTML, 'If-None-Match': etag } })
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect((await ask('/', { headers: { ...HTML, 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  test.each(['POST', 'PUT', 'DELETE'])('%s answers 405', async method => {
    for (const path of ['/', await script()]) {
      const response = await ask(path, { method })
      await expectError(response, 405)
      expect(response.headers.get('allow')).toBe('GET, HEAD')
    }
  })

  test.each([
    '/api',
    '/api/',
    '/api/nowhere',
    '/assets/gone.js',
    '/favicon.ico',
    '/index.html',
    '/entrance.html',
    '/.vite/manifest.json',
    '/assets/..%2f..%2fpackage.json',
  ])('%s is no page, also for a browser', async path => {
    await expectError(await ask(path), 404)
  })

  test('other routes answer a browser as everyone', async () => {
    expect(await (await ask('/health')).json()).toEqual({ ok: true })
    expect((await ask('/api/dash/ich')).status).toBe(401)
    expect((await ask('/f/nothing')).headers.get('content-type')).toStartWith('application/json')
    expect((await ask('/s/nothing')).status).toBe(404)
  })

  test('a program that asks for a page that is none gets 404 as JSON', async () => {
    await expectError(await ask('/dateien', { headers: { Accept: 'application/json' } }), 404)
    await expectError(await ask('/dateien', { headers: { Accept: '*/*' } }), 404)
  })
})

describe('with FILES_HOST', () => {
  const on = sharedService({ env: { FILES_HOST: 'files.example.test' } })
  const ask = (host: string) => sendRaw(on.service.port, head('GET /', { Host: host, ...HTML }))

  test('the host of the files has no dashboard', async () => {
    await expectError(await ask('files.example.test'), 404)
    expect((await ask('dash.example.test')).status).toBe(200)
  })
})

/** Contains a copy of the service without a built dashboard. */
const bare = await useFolder()

describe('without built pages', () => {
  cpSync(join(REPOSITORY, 'src'), join(bare, 'src'), { recursive: true })
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(REPOSITORY, name), join(bare, name))
  const on = sharedService({ wrapper: ['env', '-C', bare] })
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${on.service.url}${path}`, { headers })

  test('a program gets the sentence as JSON, a browser a small page with that very sentence', async () => {
    const sentence = await expectError(await ask('/'), 503, /npm run build/)
    for (const path of ['/', '/dateien', '/anmelden']) {
      const page = await ask(path, HTML)
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('content-security-policy')).toStartWith("default-src 'none'")
      expect(await page.text()).toContain(sentence)
    }
  })

  test('everything else answers as ever', async () => {
    expect(await (await ask('/health', HTML)).json()).toEqual({ ok: true })
    await expectError(await ask('/dateien', { Accept: 'application/json' }), 404)
    await expectError(await ask('/api/nowhere', HTML), 404)
  })
})
