/**
 * Where a file is stored: below the prefix, named by its stored bytes, with a cleaned stem, in the requested
 * folder.
 */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, store } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { expectStored, FORM_ROUTES, file, freshPng, post, postBase64, put } from '../support/compat.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const on = sharedService()
const ROUTE = '/api/v3/file'
const IMAGE_ROUTES = FORM_ROUTES.filter(route => /image|file/.test(route))

const fields = (given: Record<string, string>) =>
  Object.entries(given).map(([name, content]) => ({ name, content }))
const shot = (bytes: Uint8Array, given: Record<string, string> = {}) => [
  file('file', bytes),
  ...fields(given),
]
const hashOf = (bytes: Uint8Array) => sha256(bytes).slice(0, 12)

describe('by content', () => {
  test.each(IMAGE_ROUTES)('%s: uploads/<12 hex of the stored SHA-256>.<ext>', async route => {
    const bytes = await freshPng()
    const { path } = await put(on.service, route, on.token, [file('image', bytes)])
    expect(path).toBe(`uploads/${hashOf(bytes)}.png`)
  })

  test('the name of the part gives nothing but an extension', async () => {
    const bytes = await freshPng()
    const part = file('image', bytes, { filename: 'My Holiday.png', type: 'image/png' })
    expect((await put(on.service, '/api/image', on.token, [part])).path).toBe(`uploads/${hashOf(bytes)}.png`)
  })

  test('equal content gives the same name on every route, different content another', async () => {
    const [one, other] = [await freshPng(), await freshPng()]
    const paths = new Set<string>()
    for (const route of IMAGE_ROUTES) {
      paths.add((await put(on.service, route, on.token, [file('image', one)])).path)
    }
    expect(paths.size).toBe(1)
    const { path } = await put(on.service, '/api/image', on.token, [file('image', other)])
    expect([...paths]).not.toContain(path)
    for (const [at, bytes] of [[[...paths][0]!, one] as const, [path, other] as const]) {
      expectSameBytes(await bytesOf(await read(on.service, at)), bytes)
    }
  })

  test('should the name be taken by other content, that stays and the new file gets another name', async () => {
    const bytes = await freshPng()
    const taken = `uploads/${hashOf(bytes)}.png`
    await store(on.service, on.token, taken, 'something else')
    const first = await put(on.service, '/api/image', on.token, [file('image', bytes)])
    const again = await put(on.service, '/api/image', on.token, [file('image', bytes)])
    expect(first.path).not.toBe(taken)
    expect(first.path).toStartWith(`uploads/${hashOf(bytes)}`)
    expect(again.path).toBe(first.path)
    expect(await (await read(on.service, taken)).text()).toBe('something else')
    expectSameBytes(await bytesOf(await read(on.service, first.path)), bytes)
  })
})

describe('below the prefix', () => {
  test.each([
    ['items', 'items/'],
    ['items/', 'items/'],
    ['deep/er/still', 'deep/er/still/'],
    ['Mixed/Case', 'Mixed/Case/'],
  ])('%s', async (prefix, folder) => {
    const token = await on.service.createToken('--prefix', prefix)
    const plain = await freshPng()
    const older = await put(on.service, '/api/image', token, [file('image', plain)])
    expect(older.path).toBe(`${folder}${hashOf(plain)}.png`)
    const bytes = await freshPng()
    const { path } = await put(on.service, ROUTE, token, shot(bytes, { path: 'sub', filename: 'a.png' }))
    expect(path).toBe(`${folder}sub/a-${hashOf(bytes)}.png`)
  })
})

describe('path: a leading slash is cut', () => {
  test.each([
    ['/reports', 'reports/'],
    ['/reports/', 'reports/'],
    ['/Reports/2026', 'reports/2026/'],
    ['/', ''],
  ])('%s', async (path, folder) => {
    const bytes = await freshPng()
    const expected = `uploads/${folder}${hashOf(bytes)}.png`
    expect((await put(on.service, ROUTE, on.token, shot(bytes, { path }))).path).toBe(expected)
    const base64 = Buffer.from(bytes).toString('base64')
    const stored = await expectStored(await postBase64(on.service, on.token, { base64, path }), ROUTE)
    expect(stored.path).toBe(expected)
  })

  test.each(['//reports', '/../x'])('the twin: %s is refused', async path => {
    const parts = shot(await freshPng(), { path })
    await expectError(await post(on.service, ROUTE, on.token, parts), 400, /Pfad/)
  })
})

describe('filename: the stem is cleaned', () => {
  const long = 'x'.repeat(400)
  /**
   * The part before the hash: a pattern if any characters may follow a `-`, empty if nothing is left of the
   * name.
   */
  const STEMS: [filename: string, stem: string | RegExp][] = [
    ['shot.png', 'shot-'],
    ['Shot.PNG', 'shot-'],
    ['no-extension', 'no-extension-'],
    ['Mein Bild.png', 'mein-bild-'],
    ['a_b-c.png', 'a_b-c-'],
    ['my.photo.v2.png', 'my.photo.v2-'],
    ['report.exe', 'report-'],
    ['123.png', '123-'],
    ['Größe Übung.png', /^gr-{1,2}e-{1,2}bung-$/],
    ['日本語.png', ''],
    ['😀.png', ''],
    ['a😀b.png', /^a-{1,2}b-$/],
    ['a  &?#%  b.png', /^a-+b-$/],
    ['--a--.png', /^a-+$/],
    ['___.png', ''],
    ['..', ''],
    ['', ''],
    [' ', ''],
    ['.png', /^(png-)?$/],
    ['.hidden.png', 'hidden-'],
    ['../../etc/passwd', /^([a-z.-]*-)?passwd-$/],
    ['..\\..\\windows\\win.ini', /^([a-z.-]*-)?win-$/],
    ['/abs/olute.png', /^([a-z.-]*-)?olute-$/],
    ['C:\\Users\\me\\a.png', /^([a-z.-]*-)?a-$/],
    ['a/', /^(a-)?$/],
    ['a\u0000b\nc.png', /^a-{1,2}b-{1,2}c-$/],
    ['%2e%2e%2fa.png', /^[a-z0-9.-]*a-$/],
    [`${long}.png`, /^x{50,}-$/],
    [`${'ä'.repeat(400)}.png`, ''],
    [`a.${long}`, /^(a|a\.x+)-$/],
  ]
  test.each(STEMS)('%j', async (filename, stem) => {
    const bytes = await freshPng()
    const body = { base64: Buffer.from(bytes).toString('base64'), filename }
    const stored = await expectStored(await postBase64(on.service, on.token, body), ROUTE)
    expectClean(stored.path, bytes, stem)
    expectSameBytes(await bytesOf(await read(on.service, stored.path)), bytes)
  })

  test.each(STEMS.filter(([filename]) => /Mein Bild|passwd|win\.ini/.test(filename)))(
    '%j, in a form',
    async (filename, stem) => {
      const bytes = await freshPng()
      expectClean((await put(on.service, ROUTE, on.token, shot(bytes, { filename }))).path, bytes, stem)
    },
  )

  function expectClean(path: string, bytes: Uint8Array, stem: string | RegExp): void {
    const end = `${hashOf(bytes)}.png`
    expect(path.length).toBeLessThanOrEqual(200)
    expect(path).toStartWith('uploads/')
    expect(path).toEndWith(end)
    const name = path.slice('uploads/'.length)
    // The path rules apply to generated names too.
    expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*$/)
    if (typeof stem === 'string') expect(name).toBe(`${stem}${end}`)
    else expect(name.slice(0, -end.length)).toMatch(stem)
  }

  test('a long stem in a deep folder gives way, never the hash', async () => {
    const bytes = await freshPng()
    const folder = `${'f'.repeat(80)}/${'g'.repeat(80)}`
    const { path } = await put(
      on.service,
      ROUTE,
      on.token,
      shot(bytes, { filename: 'n'.repeat(300), path: folder }),
    )
    expect(path.length).toBeLessThanOrEqual(200)
    expect(path).toMatch(new RegExp(`^uploads/${folder}/(n+-)?${hashOf(bytes)}\\.png$`))
  })

  test('two files of one name do not meet; one file under two names is there twice', async () => {
    const [one, other] = [await freshPng(), await freshPng()]
    const paths = [
      await put(on.service, ROUTE, on.token, shot(one, { filename: 'same.png' })),
      await put(on.service, ROUTE, on.token, shot(other, { filename: 'same.png' })),
      await put(on.service, ROUTE, on.token, shot(one, { filename: 'else.png' })),
    ].map(({ path }) => path)
    expect(new Set(paths).size).toBe(3)
  })
})

describe('path: a folder below the prefix', () => {
  test.each([
    ['shots', 'shots/'],
    ['shots/', 'shots/'],
    ['Shots/2024', 'shots/2024/'],
    ['A.B_c-d', 'a.b_c-d/'],
    ['a..b', 'a..b/'],
    ['1/2/3/4/5/6', '1/2/3/4/5/6/'],
    ['', ''],
  ])('%j', async (path, folder) => {
    const bytes = await freshPng()
    const stored = await put(on.service, ROUTE, on.token, shot(bytes, { path }))
    expect(stored.path).toBe(`uploads/${folder}${hashOf(bytes)}.png`)
    const body = { base64: Buffer.from(bytes).toString('base64'), path }
    expect(await expectStored(await postBase64(on.service, on.token, body), ROUTE)).toMatchObject({
      path: stored.path,
    })
  })

  // The rules themselves are tested in paths.test.ts. The token's folder counts towards levels and length.
  const INVALID = ['../other', 'a\\b', '1/2/3/4/5/6/7', 'x'.repeat(190)]
  test.each(INVALID)('the twin: %j is 400, nothing stored', async path => {
    const bytes = await freshPng()
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await post(on.service, ROUTE, on.token, shot(bytes, { path })), 400, /Pfad/)
      const before = [...fields({ path }), file('file', bytes)]
      await expectError(await post(on.service, ROUTE, on.token, before), 400, /Pfad/)
      const body = { base64: Buffer.from(bytes).toString('base64'), path }
      await expectError(await postBase64(on.service, on.token, body), 400, /Pfad/)
    })
  })
})
