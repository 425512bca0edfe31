/**
 * Previews at `/t/<path>.webp`, and pictures that break decoders: they lose their preview and never stop the
 * service.
 */
import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { bytesOf, expectError, expectSameBytes, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { notUnderWine } from '../support/modes.ts'
import * as pictures from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService()

const preview = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${on.service.url}/t/${path}.webp`, { headers })

const ready = (path: string) =>
  eventually(`the preview of ${path}`, async () => {
    const response = await preview(path)
    return response.status === 200 && response
  })

describe('a preview', () => {
  test.each([
    ['png', () => pictures.png({ width: 1000, height: 750 })],
    ['jpg', () => pictures.jpeg({ width: 1000, height: 750 })],
    ['gif', () => pictures.gif({ width: 800, height: 600 })],
    [
      'webp',
      async () =>
        new Uint8Array(
          await sharp(await pictures.png({ width: 800, height: 600 }))
            .webp()
            .toBuffer(),
        ),
    ],
  ])('of a %s is a smaller WebP of the same shape', async (extension, make) => {
    const original = await make()
    await store(on.service, on.token, `prev/a.${extension}`, original)
    const response = await ready(`prev/a.${extension}`)
    expect(response.headers.get('content-type')).toBe('image/webp')
    const bytes = await bytesOf(response)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata()
    expect(format).toBe('webp')
    expect(width).toBeWithin(1, 800)
    expect(width / height).toBeCloseTo(4 / 3, 1)
  })

  test('is never enlarged', async () => {
    await store(on.service, on.token, 'prev/small.png', await pictures.png({ width: 40, height: 30 }))
    expect(await pictures.sizeOf(await bytesOf(await ready('prev/small.png')))).toBe('40x30')
  })

  notUnderWine.exif('of a turned photograph stands upright', async () => {
    const turned = await pictures.jpeg({ width: 300, height: 200, orientation: 6 })
    await store(on.service, on.token, 'prev/turned.jpg', turned)
    const { width = 0, height = 0 } = await sharp(await bytesOf(await ready('prev/turned.jpg'))).metadata()
    expect(height).toBeGreaterThan(width)
  })

  test('has a strong ETag that is worth 304, and another one is not', async () => {
    await store(on.service, on.token, 'prev/tag.png', await pictures.png())
    const etag = (await ready('prev/tag.png')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const same = await preview('prev/tag.png', { 'If-None-Match': etag })
    expect(same.status).toBe(304)
    expect((await bytesOf(same)).length).toBe(0)
    expect((await preview('prev/tag.png', { 'If-None-Match': '"other"' })).status).toBe(200)
    const asked = await fetch(`${on.service.url}/t/prev/tag.png.webp`, { method: 'HEAD' })
    expect([asked.status, asked.headers.get('etag')]).toEqual([200, etag])
  })

  test('may not be used again by a cache without asking', async () => {
    await store(on.service, on.token, 'prev/cache.png', await pictures.png())
    const policy = (await ready('prev/cache.png')).headers.get('cache-control') ?? ''
    expect(policy).toMatch(/\bno-cache\b|\bno-store\b|\bmax-age=0\b.*\bmust-revalidate\b/)
  })

  test('of an overwritten picture is the new one or none, never the old one', async () => {
    await store(on.service, on.token, 'prev/over.png', await pictures.png({ tint: 'red' }))
    await ready('prev/over.png')
    await store(on.service, on.token, 'prev/over.png', await pictures.png({ tint: 'blue' }))
    const first = await preview('prev/over.png')
    if (first.status === 200) expect(await pictures.tintOf(await bytesOf(first))).toBe('blue')
    else await expectError(first, 404)
    expect(await pictures.tintOf(await bytesOf(await ready('prev/over.png')))).toBe('blue')
  })

  test.each(['prev/absent.png.webp', 'prev/tag.png', 'prev/tag.webp', 'prev/tag.png.jpg'])(
    'there is none at /t/%s',
    async path => {
      await expectError(await fetch(`${on.service.url}/t/${path}`), 404)
    },
  )

  test('of what is no image there is none', async () => {
    await store(on.service, on.token, 'prev/a.txt', 'text')
    await store(on.service, on.token, 'prev/a.bin', randomBytes(1, 100))
    await store(on.service, on.token, 'prev/last.png', await pictures.png())
    // Once the last picture is done, so are those before it.
    await ready('prev/last.png')
    await expectError(await preview('prev/a.txt'), 404)
    await expectError(await preview('prev/a.bin'), 404)
  })
})

describe('a picture that breaks decoders is stored and served, has no preview, and the service goes on', () => {
  const cut = async () => (await pictures.png({ width: 400, height: 400 })).slice(0, 3000)
  const damaged = async () => {
    const bytes = await pictures.jpeg()
    bytes.fill(0xff, 200, 2000)
    return bytes
  }
  const lyingHeader = async () => {
    const bytes = await pictures.png()
    bytes.set([0x7f, 0xff, 0xff, 0xff], 16)
    return bytes
  }
  test.each<[string, string, () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>]>([
    ['text called PNG', 'broken/text.png', async () => new Uint8Array(Buffer.from('not a picture'))],
    ['noise called JPEG', 'broken/noise.jpg', () => randomBytes(9, 50_000)],
    ['signature only', 'broken/signature.png', async () => (await pictures.png()).slice(0, 8)],
    ['measures that are a lie', 'broken/lie.png', lyingHeader],
    ['900 million pixels in 110 KB', 'broken/bomb.png', () => pictures.pixelBomb()],
  ])('%s', async (_, path, make) => {
    const original = await make()
    await store(on.service, on.token, path, original)
    for (const accept of ['image/webp', '*/*']) {
      const response = await read(on.service, path, { Accept: accept })
      expect(response.headers.get('etag')).not.toMatch(/-w"$/)
      expectSameBytes(await bytesOf(response), original)
    }
    await store(on.service, on.token, 'broken/after.png', await pictures.png())
    await ready('broken/after.png')
    await expectError(await preview(path), 404)
    expect(await (await fetch(`${on.service.url}/health`)).json()).toEqual({ ok: true })
  })

  test.each<[string, string, () => Promise<Uint8Array<ArrayBuffer>>]>([
    ['cut off', 'broken/cut.png', cut],
    ['damaged inside', 'broken/damaged.jpg', damaged],
  ])('%s: the original is served byte for byte', async (_, path, make) => {
    const original = await make()
    await store(on.service, on.token, path, original)
    expectSameBytes(await bytesOf(await read(on.service, path)), original)
    await store(on.service, on.token, 'broken/next.png', await pictures.png())
    await ready('broken/next.png')
    await expectError(await preview(path), 404)
  })

  test('while bombs are looked at, files are served', async () => {
    const bomb = pictures.pixelBomb(16_000, 16_000)
    for (let n = 0; n < 4; n++) await store(on.service, on.token, `broken/many-${n}.png`, bomb)
    await store(on.service, on.token, 'broken/meanwhile.txt', 'here')
    for (let n = 0; n < 20; n++) {
      expect(await (await read(on.service, 'broken/meanwhile.txt')).text()).toBe('here')
    }
  })
})
