/**
 * Pictures in the configured sizes, `/b/<size>/<path>`: measures, formats, conditions, and what becomes of
 * them.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { answered, bytesOf, expectError, read, remove, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { sharedLibrary } from '../support/library.ts'
import { media } from '../support/media.ts'
import { isShared, notUnderWine } from '../support/modes.ts'
import * as pictures from '../support/pictures.ts'
import { needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

const on = sharedLibrary({ env: { LOG_LEVEL: 'debug' } })

const SIZES = [
  { name: 'klein', breite: 320, hoehe: 320 },
  { name: 'quadrat', breite: 100, hoehe: 100, art: 'fuellen' },
  { name: 'breit', breite: 200, format: 'webp' },
  { name: 'alt', hoehe: 50, format: 'jpeg' },
  { name: 'neu', breite: 64, hoehe: 64, format: 'avif' },
  { name: 'riesig', breite: 4096, hoehe: 4096 },
]

const size = (address: string, headers: Record<string, string> = {}, base = on.service.url) =>
  fetch(`${base}/b/${address}`, { headers })

const save = (values: Record<string, unknown>) =>
  dash(on.service, 'einstellungen', { method: 'PUT', json: values, session: on.session })

const MADE = 'a picture was made in a size'
const made = (path: string) =>
  on.service.logs().filter(line => line.message === MADE && line.path === path).length

const AVIF = 'image/avif,image/webp,*/*;q=0.8'
const WEBP = 'image/webp,*/*;q=0.8'

beforeAll(async () => {
  expect((await save({ BILDGROESSEN: SIZES })).status).toBe(200)
  await store(on.service, on.token, 's/wide.jpg', await pictures.jpeg({ width: 1000, height: 500 }))
})

describe('measures and formats', () => {
  test.each([
    ['klein', AVIF, 'image/avif', '320x160'],
    ['klein', WEBP, 'image/webp', '320x160'],
    ['klein', '*/*', 'image/jpeg', '320x160'],
    ['klein', 'image/avif;q=0,image/webp', 'image/webp', '320x160'],
    ['quadrat', WEBP, 'image/webp', '100x100'],
    ['breit', '*/*', 'image/webp', '200x100'],
    ['alt', AVIF, 'image/jpeg', '100x50'],
    ['neu', '*/*', 'image/avif', '64x32'],
    ['riesig', '*/*', 'image/jpeg', '1000x500'],
  ])('%s for %j is %s, %s', async (name, accept, type, measures) => {
    const response = await size(`${name}/s/wide.jpg`, { Accept: accept })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    const bytes = await bytesOf(response)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const { width, height, format } = await sharp(bytes).metadata()
    expect(`${width}x${height}`).toBe(measures)
    expect(type).toContain(format === 'heif' ? 'avif' : format)
  })

  test('a picture with transparent pixels is a PNG for a client that names no better format', async () => {
    const clear = await sharp({ create: { width: 400, height: 400, channels: 4, background: '#f000' } })
      .png()
      .toBuffer()
    await store(on.service, on.token, 's/clear.png', new Uint8Array(clear))
    const response = await size('klein/s/clear.png')
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(await pictures.sizeOf(await bytesOf(response))).toBe('320x320')
  })

  test('a photograph stands upright', async () => {
    const turned = await pictures.jpeg({ width: 600, height: 300, orientation: 6 })
    await store(on.service, on.token, 's/turned.jpg', turned)
    expect(await pictures.sizeOf(await bytesOf(await size('klein/s/turned.jpg')))).toBe('160x320')
  })
})

describe('an answer', () => {
  test('has the headers of stored content', async () => {
    const response = await size('klein/s/wide.jpg')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cache-control': 'public, no-cache',
      'content-security-policy': expect.stringContaining('sandbox'),
      'last-modified': expect.stringContaining('GMT'),
    })
    expect(response.headers.get('content-disposition')).toBeNull()
  })

  test('each format has an ETag of its own, which is worth a 304', async () => {
    const tags = await Promise.all(
      [AVIF, WEBP, '*/*'].map(
        async Accept => (await size('klein/s/wide.jpg', { Accept })).headers.get('etag')!,
      ),
    )
    expect(new Set(tags).size).toBe(3)
    const again = (tag: string, Accept: string) => size('klein/s/wide.jpg', { 'If-None-Match': tag, Accept })
    expect((await again(tags[0]!, AVIF)).status).toBe(304)
    expect((await again(tags[0]!, WEBP)).status).toBe(200)
  })

  test('HEAD says the length of the GET, also for a picture that was not made yet', async () => {
    await store(on.service, on.token, 's/head.jpg', await pictures.jpeg({ width: 700, height: 700 }))
    const head = await fetch(`${on.service.url}/b/klein/s/head.jpg`, { method: 'HEAD' })
    const whole = await size('klein/s/head.jpg')
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      String((await bytesOf(whole)).length),
    ])
  })

  test('ranges and preflight work as for files, other methods are refused', async () => {
    const part = await size('klein/s/wide.jpg', { Range: 'bytes=0-9' })
    expect([part.status, (await bytesOf(part)).length]).toEqual([206, 10])
    const preflight = await fetch(`${on.service.url}/b/klein/s/wide.jpg`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.test', 'Access-Control-Request-Method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    await expectError(await fetch(`${on.service.url}/b/klein/s/wide.jpg`, { method: 'POST' }), 405)
  })

  test('no retrieval is counted', async () => {
    await store(on.service, on.token, 's/uncounted.jpg', await pictures.jpeg({ width: 500, height: 400 }))
    await bytesOf(await size('klein/s/uncounted.jpg'))
    await bytesOf(await read(on.service, 's/uncounted.jpg'))
    const file = () =>
      dash(on.service, 'media/s/uncounted.jpg', { session: on.session }).then(response =>
        answered<{ abrufe: number }>(response),
      )
    // The counters are written down.
    await on.service.restart()
    expect((await file()).abrufe).toBe(1)
  })
})

describe('404', () => {
  test.each([
    ['an unknown size', 'winzig/s/wide.jpg', 'size-unknown'],
    ['a name of Object.prototype', '__proto__/s/wide.jpg', 'size-unknown'],
    ['no size', 's%2Fwide.jpg', 'size-unknown'],
    ['no path', 'klein/', 'file-absent'],
    ['no file', 'klein/s/nowhere.jpg', 'file-absent'],
    ['another kind of file', 'klein/s/a.txt', 'size-absent'],
  ])('%s', async (_, address, code) => {
    await store(on.service, on.token, 's/a.txt', 'text')
    const response = await size(address)
    expect(response.headers.get('x-fehler-code')).toBe(code)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    await expectError(response, 404)
  })

  test('a damaged picture is tried once, in whatever size and format', async () => {
    await store(on.service, on.token, 's/broken.png', 'no picture at all')
    for (const [name, accept] of [
      ['klein', AVIF],
      ['klein', WEBP],
      ['quadrat', '*/*'],
    ] as const) {
      const response = await size(`${name}/s/broken.png`, { Accept: accept })
      expect(response.headers.get('x-fehler-code')).toBe('picture-damaged')
      await expectError(response, 404)
    }
    const tried = on.service
      .logs()
      .filter(
        line => line.message === 'a picture could not be made in a size' && line.path === 's/broken.png',
      )
    expect(tried).toHaveLength(1)
  })

  test('of a picture over the limits', async () => {
    await store(on.service, on.token, 's/huge.png', pictures.pixelBomb())
    const response = await size('klein/s/huge.png')
    expect(response.headers.get('x-fehler-code')).toBe('picture-undecodable')
    await expectError(response, 404)
  })
})

describe('made once', () => {
  test('however many ask for it at once, by whichever instance', async () => {
    await store(on.service, on.token, 's/once.jpg', await pictures.jpeg({ width: 2000, height: 1500 }))
    const bases = on.service.instances.map(({ url }) => url)
    const asked = Array.from({ length: 50 }, (_, at) =>
      size('klein/s/once.jpg', { Accept: WEBP }, bases[at % bases.length]),
    )
    const tags = new Set(
      (await Promise.all(asked)).map(({ status, headers }) => `${status} ${headers.get('etag')}`),
    )
    expect(tags.size).toBe(1)
    expect([...tags][0]).toStartWith('200 "')
    expect(made('s/once.jpg')).toBe(1)
    expect((await size('klein/s/once.jpg', { Accept: AVIF })).status).toBe(200)
    expect(made('s/once.jpg')).toBe(2)
  })
})

describe('with its file', () => {
  const bytesAt = async (address: string) => {
    const response = await size(address, { Accept: WEBP })
    return response.status === 200 ? pictures.sizeOf(await bytesOf(response)) : response.status
  }

  test('renamed it keeps its pictures, overwritten it gets others, removed it has none', async () => {
    await store(on.service, on.token, 's/life.jpg', await pictures.jpeg({ width: 600, height: 300 }))
    expect(await bytesAt('klein/s/life.jpg')).toBe('320x160')
    const renamed = await dash(on.service, 'media/umbenennen', {
      json: { pfad: 's/life.jpg', name: 'new.jpg' },
      session: on.session,
    })
    expect(renamed.status).toBe(200)
    expect(await bytesAt('klein/s/life.jpg')).toBe(404)
    expect(await bytesAt('klein/s/new.jpg')).toBe('320x160')
    expect([made('s/life.jpg'), made('s/new.jpg')]).toEqual([1, 0])
    await store(on.service, on.token, 's/new.jpg', await pictures.jpeg({ width: 300, height: 600 }), {
      'X-Overwrite': 'true',
    })
    expect(await bytesAt('klein/s/new.jpg')).toBe('160x320')
    expect((await remove(on.service, on.token, 's/new.jpg')).status).toBe(200)
    expect(await bytesAt('klein/s/new.jpg')).toBe(404)
  })

  test('out of the trash it gets them anew', async () => {
    await store(on.service, on.token, 's/trash.jpg', await pictures.jpeg({ width: 640, height: 640 }))
    expect(await bytesAt('klein/s/trash.jpg')).toBe('320x320')
    const gone = await dash(on.service, 'media/loeschen', {
      json: { pfade: ['s/trash.jpg'] },
      session: on.session,
    })
    const { nummern } = (await gone.json()) as { nummern: number[] }
    expect(await bytesAt('klein/s/trash.jpg')).toBe(404)
    await dash(on.service, 'papierkorb/wiederherstellen', { json: { nummern }, session: on.session })
    expect(await bytesAt('klein/s/trash.jpg')).toBe('320x320')
    expect(made('s/trash.jpg')).toBe(2)
  })

  const embedded = isShared() ? test.skip : test
  embedded(
    'no object is left, and check finds nothing wrong',
    async () => {
      const thumbs = () => readdir(join(on.service.dataDir, 'thumbs/left')).catch(() => [] as string[])
      await store(on.service, on.token, 'left/a.jpg', await pictures.jpeg({ width: 640, height: 640 }))
      expect(await bytesAt('klein/left/a.jpg')).toBe('320x320')
      expect((await thumbs()).filter(name => name.includes('~b-'))).toHaveLength(1)
      const { stdout } = await on.service.command('check', '--json')
      expect(JSON.parse(stdout)).toMatchObject({ ok: true })
      expect((await remove(on.service, on.token, 'left/a.jpg')).status).toBe(200)
      await eventually('its objects are gone', async () => (await thumbs()).length === 0, 100_000)
    },
    120_000,
  )
})

describe('a film', () => {
  needsTool('ffmpeg')

  notUnderWine.film('comes as the frame of its preview, in every size and never enlarged', async () => {
    await store(on.service, on.token, 's/clip.mp4', media('clip.mp4'))
    const whole = await size('riesig/s/clip.mp4')
    expect(await pictures.sizeOf(await bytesOf(whole))).toBe('64x48')
    expect(await pictures.sizeOf(await bytesOf(await size('quadrat/s/clip.mp4')))).toBe('48x48')
  })
})

test('sound has no sizes', async () => {
  await store(on.service, on.token, 's/tone.mp3', 'no tone')
  expect((await size('klein/s/tone.mp3')).headers.get('x-fehler-code')).toBe('size-absent')
})

describe('the setting', () => {
  test('ich names the sizes for the dashboard', async () => {
    const { dienst } = await answered<{ dienst: Record<string, unknown> }>(
      await dash(on.service, 'ich', { session: on.session }),
    )
    expect(dienst.BILDGROESSEN).toEqual(
      SIZES.map(each => ({ breite: null, hoehe: null, art: 'einpassen', format: 'auto', ...each })),
    )
  })

  test('a size that changes under its name makes other pictures', async () => {
    await store(on.service, on.token, 's/changed.jpg', await pictures.jpeg({ width: 600, height: 300 }))
    expect(await pictures.sizeOf(await bytesOf(await size('klein/s/changed.jpg')))).toBe('320x160')
    await save({ BILDGROESSEN: [{ ...SIZES[0], breite: 100 }, ...SIZES.slice(1)] })
    expect(await pictures.sizeOf(await bytesOf(await size('klein/s/changed.jpg')))).toBe('100x50')
    await save({ BILDGROESSEN: SIZES })
  })

  test('an empty list switches it off, and none at all is the default', async () => {
    await save({ BILDGROESSEN: [] })
    await expectError(await size('klein/s/wide.jpg'), 404)
    await save({ BILDGROESSEN: null })
    expect(await pictures.sizeOf(await bytesOf(await size('mittel/s/wide.jpg')))).toBe('960x480')
    await save({ BILDGROESSEN: SIZES })
  })

  test.each([
    [[{ name: 'Groß', breite: 1 }], /Namen haben, aus Kleinbuchstaben/],
    [[{ name: 'a' }], /Breite oder eine Höhe/],
    [[{ name: 'a', breite: 0 }], /von 1 bis 4096/],
    [[{ name: 'a', breite: 4097 }], /von 1 bis 4096/],
    [[{ name: 'a', breite: 10, art: 'fuellen' }], /beides haben/],
    [[{ name: 'a', breite: 10, format: 'gif' }], /auto, webp, avif oder jpeg/],
    [[{ name: 'a', breite: 10, art: 'strecken' }], /einpassen oder fuellen/],
    [
      [
        { name: 'a', breite: 10 },
        { name: 'a', breite: 20 },
      ],
      /keinen Namen zweimal/,
    ],
    [Array.from({ length: 21 }, (_, at) => ({ name: `a${at}`, breite: 10 })), /höchstens 20/],
    [[{ name: 'a', breite: 10, farbe: 'rot' }], /Liste von Größen/],
    ['kein JSON', /Liste von Größen/],
  ])('%j is refused', async (given, sentence) => {
    await expectError(await save({ BILDGROESSEN: given }), 400, sentence)
  })
})

test('what nobody asks for goes first when there is too much', async () => {
  await store(on.service, on.token, 'much/a.jpg', await pictures.jpeg({ width: 900, height: 900 }))
  const one = await bytesOf(await size('klein/much/a.jpg', { Accept: WEBP }))
  await save({ BILDGROESSEN_MAX_MB: 0.000001 })
  const before = made('much/a.jpg')
  // Even then it is made and sent.
  expect(await bytesOf(await size('quadrat/much/a.jpg', { Accept: WEBP }))).not.toHaveLength(0)
  await eventually('the first picture is gone, and made again when asked for', async () => {
    expect(await bytesOf(await size('klein/much/a.jpg', { Accept: WEBP }))).toEqual(one)
    return made('much/a.jpg') > before + 1
  })
  await save({ BILDGROESSEN_MAX_MB: null })
})
