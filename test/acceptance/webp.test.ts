/**
 * The WebP variant at the same address: rules 1 to 4 of `/f/<path>`, and that it never outlives its picture.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { bytesOf, expectError, expectSameBytes, read, remove, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { storedFiles } from '../support/data-folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { notUnderWine } from '../support/modes.ts'
import * as pictures from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService()
const WEBP = { Accept: 'image/webp' }

// A reader waits 3 s for a variant; if processes start slowly, as under Wine, starting the decoder takes
// longer than that.
beforeAll(async () => {
  await store(on.service, on.token, 'webp/first.png', await pictures.png({ width: 64, height: 64 }))
  await eventually(
    'a decoder is there',
    async () => (await fetch(`${on.service.url}/t/webp/first.png.webp`)).ok,
  )
})

const MAKERS = [
  ['png', () => pictures.png({ width: 640, height: 480 })],
  ['jpg', () => pictures.jpeg({ width: 640, height: 480 })],
] as const
/** `npm test` leaves JPEG to the long tests: src/images/variant.test.ts covers how it is encoded. */
describe.each(isOrdinaryRun ? MAKERS.slice(0, 1) : MAKERS)('%s', (extension, make) => {
  const path = `webp/picture.${extension}`

  test('whoever accepts WebP gets it, the first reader waiting while it is made', async () => {
    const original = await make()
    const { mime } = await store(on.service, on.token, path, original)
    // On a busy machine the variant may take longer than the three seconds that a reader waits.
    const variant = await eventually('the variant', async () => {
      const answer = await read(on.service, path, WEBP)
      return answer.headers.get('content-type') === 'image/webp' && answer
    })
    expect(variant.status).toBe(200)
    expect(variant.headers.get('vary')).toMatch(/\bAccept\b/i)
    expect(variant.headers.get('etag')).toMatch(/^"[^"]+-w"$/)
    const bytes = await bytesOf(variant)
    expect(variant.headers.get('content-length')).toBe(String(bytes.length))
    expect(bytes.length).toBeLessThan(original.length)
    expect((await sharp(bytes).metadata()).format).toBe('webp')
    expect(await pictures.sizeOf(bytes)).toBe('640x480')

    const plain = await read(on.service, path)
    expect(plain.headers.get('content-type')).toBe(mime)
    expect(plain.headers.get('vary')).toMatch(/\bAccept\b/i)
    expect(plain.headers.get('etag')).not.toMatch(/-w"$/)
    expectSameBytes(await bytesOf(plain), original)
  })

  test.each([
    ['image/webp', true],
    ['image/avif,image/webp,image/apng,image/*,*/*;q=0.8', true],
    ['text/html, image/webp', true],
    ['image/webp;q=0.1', true],
    ['image/webp; q=0.5, */*', true],
    ['image/webp;q=0', false],
    ['image/webp; q=0.0, image/*', false],
    ['image/webp;q=0;x=1', false],
    ['image/webp;x="a, b";q=0', false],
    ['image/webp;q=1;x=0', true],
    ['*/*', false],
    ['image/*', false],
    ['image/png', false],
    ['text/html', false],
  ])('Accept: %s', async (accept, wants) => {
    const response = await read(on.service, path, { Accept: accept })
    expect(response.headers.get('content-type') === 'image/webp').toBe(wants)
  })

  test('the two ETags: each is worth 304 with its own Accept only', async () => {
    const small = (await read(on.service, path, WEBP)).headers.get('etag')!
    const plain = (await read(on.service, path)).headers.get('etag')!
    expect(small).not.toBe(plain)
    const ask = async (tag: string, accept: string) => {
      const response = await read(on.service, path, { 'If-None-Match': tag, Accept: accept })
      await response.arrayBuffer()
      return [response.status, response.headers.get('etag')]
    }
    expect(await ask(small, 'image/webp')).toEqual([304, small])
    expect(await ask(small, '*/*')).toEqual([200, plain])
    expect(await ask(plain, '*/*')).toEqual([304, plain])
    expect(await ask(plain, 'image/webp')).toEqual([200, small])
  })

  test('HEAD, ranges and If-Range speak of the variant', async () => {
    const whole = await bytesOf(await read(on.service, path, WEBP))
    const asked = await fetch(`${on.service.url}/f/${path}`, { method: 'HEAD', headers: WEBP })
    expect(asked.headers.get('content-type')).toBe('image/webp')
    expect(asked.headers.get('content-length')).toBe(String(whole.length))
    const part = await read(on.service, path, { ...WEBP, Range: 'bytes=8-11' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 8-11/${whole.length}`)
    expect(await part.text()).toBe('WEBP')
    const plain = (await read(on.service, path)).headers.get('etag')!
    // The validator of the original must not allow a part of the variant to be appended to it.
    const mixed = await read(on.service, path, { ...WEBP, Range: 'bytes=8-11', 'If-Range': plain })
    expect(mixed.status).toBe(200)
  })

  test('overwritten again and again, it never serves the variant of an older picture', async () => {
    for (const tint of ['green', 'blue', 'red'] as const) {
      await store(on.service, on.token, path, await pictures.png({ tint }))
      const response = await read(on.service, path, WEBP)
      expect(await pictures.tintOf(await bytesOf(response))).toBe(tint)
      const plain = await read(on.service, path)
      expect(await pictures.tintOf(await bytesOf(plain))).toBe(tint)
    }
  })

  test('overwritten by something that is no picture, there is no variant any more', async () => {
    await store(on.service, on.token, path, await make())
    const type = async () => (await read(on.service, path, WEBP)).headers.get('content-type')
    await eventually('the variant', async () => (await type()) === 'image/webp')
    await store(on.service, on.token, path, 'no picture')
    expect(await (await read(on.service, path, WEBP)).text()).toBe('no picture')
  })

  test('deletion takes variant and preview along, on disk too', async () => {
    const folder = `gone-${extension}`
    await store(on.service, on.token, `${folder}/a.${extension}`, await make())
    await read(on.service, `${folder}/a.${extension}`, WEBP)
    const ours = async () => (await storedFiles(on.service.dataDir)).filter(file => file.includes(folder))
    await eventually('original, variant and preview', async () => (await ours()).length === 3)
    await remove(on.service, on.token, `${folder}/a.${extension}`)
    await expectError(await read(on.service, `${folder}/a.${extension}`, WEBP), 404)
    await expectError(await fetch(`${on.service.url}/t/${folder}/a.${extension}.webp`), 404)
    await eventually('nothing of it on disk', async () => (await ours()).length === 0)
  })
})

describe('no variant', () => {
  test.each([
    ['a GIF', 'none/a.gif', 'image/gif', () => pictures.gif()],
    [
      'a WebP',
      'none/a.webp',
      'image/webp',
      async () =>
        new Uint8Array(
          await sharp(await pictures.png())
            .webp()
            .toBuffer(),
        ),
    ],
    ['a JPEG that is smaller already', 'none/small.jpg', 'image/jpeg', () => pictures.jpegBeatsWebp()],
    ['text', 'none/a.txt', undefined, async () => randomBytes(1, 5000)],
  ])('of %s: the original, byte for byte', async (_, path, mime, make) => {
    const original = await make()
    await store(on.service, on.token, path, original)
    const response = await read(on.service, path, WEBP)
    if (mime) expect(response.headers.get('content-type')).toBe(mime)
    expect(response.headers.get('etag')).not.toMatch(/-w"$/)
    expectSameBytes(await bytesOf(response), original)
  })

  test.each([
    ['a plain area', () => pictures.plainPng()],
    ['one pixel', () => pictures.png({ width: 1, height: 1 })],
    ['eight by eight', () => pictures.png({ width: 8, height: 8 })],
  ])('unless it is smaller: %s', async (name, make) => {
    const original = await make()
    const path = `none/${name.replaceAll(' ', '-')}.png`
    await store(on.service, on.token, path, original)
    const response = await read(on.service, path, WEBP)
    const bytes = await bytesOf(response)
    if (response.headers.get('content-type') === 'image/webp')
      expect(bytes.length).toBeLessThan(original.length)
    else expectSameBytes(bytes, original)
  })
})

describe('what the variant keeps', () => {
  notUnderWine.exif('a turned photograph stands upright', async () => {
    const turned = await pictures.jpeg({ width: 300, height: 200, orientation: 6 })
    await store(on.service, on.token, 'keep/turned.jpg', turned)
    const response = await read(on.service, 'keep/turned.jpg', WEBP)
    expect(response.headers.get('content-type')).toBe('image/webp')
    const bytes = await bytesOf(response)
    expect(await pictures.sizeOf(bytes)).toBe('200x300')
    // The pixels are rotated, and the orientation tag is gone.
    expect([undefined, 1]).toContain((await sharp(bytes).metadata()).orientation)
    expectSameBytes(await bytesOf(await read(on.service, 'keep/turned.jpg')), turned)
  })

  test('the colour profile', async () => {
    await store(on.service, on.token, 'keep/p3.jpg', await pictures.jpeg({ profile: 'p3' }))
    const bytes = await bytesOf(await read(on.service, 'keep/p3.jpg', WEBP))
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', hasProfile: true })
  })

  test('transparency', async () => {
    const rgba = { width: 200, height: 200, channels: 4 } as const
    const noise = randomBytes(4, 200 * 200 * 4).map((byte, at) =>
      at % 4 === 3 ? (at % 800 < 400 ? 0 : 255) : byte & 63,
    )
    await store(
      on.service,
      on.token,
      'keep/alpha.png',
      new Uint8Array(await sharp(noise, { raw: rgba }).png().toBuffer()),
    )
    const response = await read(on.service, 'keep/alpha.png', WEBP)
    expect(response.headers.get('content-type')).toBe('image/webp')
    const { channels } = await sharp(await bytesOf(response)).stats()
    expect(channels[3]).toMatchObject({ min: 0, max: 255 })
  })
})
