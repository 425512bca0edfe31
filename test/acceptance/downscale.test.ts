/**
 * A token's maximum edge length: larger pictures are scaled down before they are stored, and the answer
 * describes the stored file.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { bytesOf, expectSameBytes, read, store, type UploadAnswer, upload } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { sharedLibrary } from '../support/library.ts'
import { notUnderWine } from '../support/modes.ts'
import { fileForm } from '../support/multipart.ts'
import * as pictures from '../support/pictures.ts'

const on = sharedLibrary()
/** The history's remark on a picture that was accepted although it may be larger than its token allows. */
const KEPT = 'unverändert gespeichert: das Bild lässt sich nicht verkleinern'
let narrow = ''
beforeAll(async () => {
  narrow = await on.service.createToken('--max-edge', '100')
})

describe('an image larger than the edge', () => {
  test.each([
    ['png', 400, 200, '100x50', () => pictures.png({ width: 400, height: 200 })],
    ['png', 200, 400, '50x100', () => pictures.png({ width: 200, height: 400 })],
    ['jpg', 101, 101, '100x100', () => pictures.jpeg({ width: 101, height: 101 })],
  ])('%s of %ix%i becomes %s', async (extension, width, height, scaled, make) => {
    const original = await make()
    const path = `edge/${width}-${height}.${extension}`
    const answer = await store(on.service, narrow, path, original)
    expect(answer.verkleinert).toEqual({ von: `${width}x${height}`, auf: scaled })
    expect(Object.keys(answer).sort()).toEqual(
      ['mime', 'path', 'replaced', 'sha256', 'size', 'url', 'verkleinert'].sort(),
    )
    const stored = await bytesOf(await read(on.service, path))
    expect(await pictures.sizeOf(stored)).toBe(scaled)
    expect(answer).toMatchObject({ size: stored.length, sha256: sha256(stored) })
    expect(answer.sha256).not.toBe(sha256(original))
  })

  notUnderWine.exif(
    'a turned photograph is measured as it is seen, and stands upright afterwards',
    async () => {
      const turned = await pictures.jpeg({ width: 400, height: 200, orientation: 6 })
      const answer = await store(on.service, narrow, 'edge/turned.jpg', turned)
      expect(answer.verkleinert).toEqual({ von: '200x400', auf: '50x100' })
      expect(await pictures.sizeOf(await bytesOf(await read(on.service, 'edge/turned.jpg')))).toBe('50x100')
    },
  )

  test('also as a form and as Base64', async () => {
    const original = await pictures.png({ width: 300, height: 300 })
    for (const [body, headers] of [
      [fileForm(original, 'a.png'), {}],
      [Buffer.from(original).toString('base64'), { 'X-Encoding': 'base64' }],
    ] as const) {
      const response = await upload(on.service, narrow, body, { 'X-Path': 'edge/form.png', ...headers })
      expect(await response.json()).toMatchObject({ verkleinert: { von: '300x300', auf: '100x100' } })
    }
  })

  test('a generated name uses the hash of the stored bytes', async () => {
    const original = await pictures.png({ width: 333, height: 111 })
    const response = await upload(on.service, narrow, fileForm(original, 'a.png'))
    const answer = (await response.json()) as UploadAnswer
    expect(answer.path).toBe(`uploads/${answer.sha256.slice(0, 32)}.png`)
    expect(sha256(await bytesOf(await read(on.service, answer.path)))).toBe(answer.sha256)
  })

  test('the quota counts what is stored', async () => {
    const original = await pictures.png({ width: 800, height: 800 })
    const token = await on.service.createToken('--max-edge', '50', '--quota', String(original.length - 1))
    await store(on.service, token, 'edge/quota.png', original)
  })

  test('without the setting nothing is changed', async () => {
    const original = await pictures.png({ width: 400, height: 200 })
    const answer = await store(on.service, on.token, 'edge/free.png', original)
    expect(answer).not.toHaveProperty('verkleinert')
    expectSameBytes(await bytesOf(await read(on.service, 'edge/free.png')), original)
  })
})

describe('an image of several frames or pages larger than the edge', () => {
  test.each(['gif', 'webp', 'tiff'] as const)('%s: each is scaled down, none is lost', async format => {
    const original = await pictures.pages(format, { width: 300, height: 200 })
    const path = `frames/large.${format}`
    const answer = await store(on.service, narrow, path, original)
    expect(answer.verkleinert).toEqual({ von: '300x200', auf: '100x67' })
    const stored = await bytesOf(await read(on.service, path))
    expect(answer).toMatchObject({ size: stored.length, sha256: sha256(stored), mime: `image/${format}` })
    const timing = format === 'tiff' ? {} : { delay: [100, 200, 300], loop: 2 }
    expect(await pictures.pagesOf(stored)).toMatchObject({
      size: '100x67',
      tints: ['red', 'green', 'blue'],
      ...timing,
    })
    expect((await on.history(`pfad=${path}`))[0]?.einzelheiten).toBeNull()
  })

  test.each(['gif', 'webp', 'tiff'] as const)('%s within the edge is never enlarged', async format => {
    const original = await pictures.pages(format, { width: 100, height: 80 })
    const path = `frames/small.${format}`
    expect(await store(on.service, narrow, path, original)).not.toHaveProperty('verkleinert')
    expectSameBytes(await bytesOf(await read(on.service, path)), original)
    expect((await on.history(`pfad=${path}`))[0]?.einzelheiten).toBeNull()
  })
})

describe('an image that cannot be scaled down is stored as sent, and the history says so', () => {
  const half = async (whole: Promise<Uint8Array<ArrayBuffer>>) => {
    const bytes = await whole
    return bytes.slice(0, bytes.length / 2)
  }
  test.each([
    ['a format nothing here decodes', 'bitmap.bmp', async () => pictures.bmp(300, 200)],
    ['an icon', 'icon.ico', () => pictures.ico(256)],
    ['an animation of which only one frame can be read', 'moving.png', () => pictures.animatedPng()],
    ['damaged', 'torn.png', () => half(pictures.png({ width: 400, height: 300 }))],
    ['more pixels than the decoder takes', 'bomb.png', async () => pictures.pixelBomb()],
    ['no image at all', 'text.png', async () => new TextEncoder().encode('just text')],
  ])('%s', async (_, name, make) => {
    const original = await make()
    const path = `kept/${name}`
    const answer = await store(on.service, narrow, path, original)
    expect(answer).not.toHaveProperty('verkleinert')
    expect(answer).toMatchObject({ size: original.length, sha256: sha256(original) })
    expectSameBytes(await bytesOf(await read(on.service, path)), original)
    const [entry] = await on.history(`pfad=${path}`)
    expect(entry).toMatchObject({ was: 'hochgeladen', einzelheiten: KEPT })
    // For a token without the limit the history has no remark.
    await store(on.service, on.token, path, original)
    expect((await on.history(`pfad=${path}`))[0]).toMatchObject({ was: 'ueberschrieben', einzelheiten: null })
  })

  test('the CSV says so too', async () => {
    const csv = await (await on.get('verlauf/export?pfad=kept/bitmap.bmp&was=hochgeladen')).text()
    expect(csv).toContain(KEPT)
  })

  test('vector graphics have no pixels and nothing to explain', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>'
    expect(await store(on.service, narrow, 'kept/drawing.svg', drawing)).not.toHaveProperty('verkleinert')
    expect((await on.history('pfad=kept/drawing.svg'))[0]?.einzelheiten).toBeNull()
  })
})

describe('left as it is, byte for byte, without the field', () => {
  test.each([
    ['exactly at the edge', 'a.png', () => pictures.png({ width: 100, height: 100 })],
    ['smaller, never enlarged', 'b.jpg', () => pictures.jpeg({ width: 20, height: 10 })],
    ['a document', 'c.pdf', async () => randomBytes(1, 5000)],
    ['a video', 'd.mp4', async () => randomBytes(2, 5000)],
    ['audio', 'e.mp3', async () => randomBytes(3, 5000)],
  ])('%s', async (_, name, make) => {
    const original = await make()
    const answer = await store(on.service, narrow, `same/${name}`, original)
    expect(answer).not.toHaveProperty('verkleinert')
    expect(answer).toMatchObject({ size: original.length, sha256: sha256(original) })
    expectSameBytes(await bytesOf(await read(on.service, `same/${name}`)), original)
  })
})
