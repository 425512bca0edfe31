/**
 * `EXIF_ENTFERNEN` and the token's `exif_entfernen`: location and camera data are removed from a picture
 * before it is stored, on every route, and the answer has the size and hash of the stored bytes. (Fetching
 * from an address is tested in `src/features/fetch-url` with a fake internet.)
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { bytesOf, expectError, expectSameBytes, read, upload } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { field, filePart, freshFolder, sendOk } from '../support/ingest.ts'
import { sharedLibrary } from '../support/library.ts'
import { notUnderWine } from '../support/modes.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { type PhotoType, PLACE_MARKS, photo } from '../support/photos.ts'
import { type TokenAdmin, tokenAdmin } from '../support/token-admin.ts'
import { zip } from '../support/zip.ts'

const on = sharedLibrary()
let admin: TokenAdmin
beforeAll(async () => {
  admin = await tokenAdmin(on.service)
})

const setting = async (value: string | null) => {
  const answer = await dash(on.service, 'einstellungen', {
    method: 'PUT',
    json: { EXIF_ENTFERNEN: value },
    session: on.session,
  })
  expect(answer.status).toBe(200)
}

interface Stored {
  path: string
  /** Size and hash according to the answer, if it has them. */
  size?: number
  sha256?: string
}
type Way = (bytes: Uint8Array<ArrayBuffer>, name: string, token: string) => Promise<Stored>
const storedIn = async (response: Response) => {
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return JSON.parse(text)
}

let uploads = 0
const WAYS: Record<string, Way> = {
  'raw, with a path': async (bytes, name, token) =>
    storedIn(await upload(on.service, token, bytes, { 'X-Path': `exif/${uploads++}-${name}` })),
  'as a form, without a path': async (bytes, name, token) => {
    const body = multipart([{ name: 'file', filename: name, content: bytes }])
    return storedIn(await upload(on.service, token, body, MULTIPART))
  },
  'as Base64': async (bytes, name, token) => {
    const headers = { 'X-Encoding': 'base64', 'X-Path': `exif/${uploads++}-${name}` }
    return storedIn(await upload(on.service, token, Buffer.from(bytes).toString('base64'), headers))
  },
  'by a compatibility route': async (bytes, name, token) => {
    const body = multipart([{ name: 'image', filename: name, content: bytes }])
    const headers = { ...MULTIPART, Authorization: token }
    return storedIn(await fetch(`${on.service.url}/api/image`, { method: 'POST', body, headers }))
  },
  'through the dashboard': async (bytes, name) =>
    (await sendOk(on.service, on.session, [field('ordner', freshFolder()), filePart(name, bytes)]))
      .gespeichert[0]!,
  'in a ZIP': async (bytes, name) => {
    const archive = filePart('Paket.zip', zip([{ name, content: bytes }]))
    return (await sendOk(on.service, on.session, [field('ordner', freshFolder()), archive])).gespeichert[0]!
  },
}
const NAMES: Record<PhotoType, string> = { jpeg: 'foto.jpg', png: 'foto.png', webp: 'foto.webp' }

async function storedBytes({ path, size, sha256 }: Stored): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await bytesOf(await read(on.service, path, { Accept: '*/*' }))
  const file = await on.file(path)
  const truth = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  expect({ size: file.size, sha256: file.sha256 }).toEqual(truth)
  if (size !== undefined) expect({ size, sha256 }).toEqual(truth)
  return bytes
}

const pixels = async (bytes: Uint8Array) => (await sharp(bytes).raw().toBuffer()).toString('base64')
const marksIn = (bytes: Uint8Array) => PLACE_MARKS.filter(mark => Buffer.from(bytes).includes(mark))

async function expectStripped(sentBytes: Uint8Array, stored: Uint8Array): Promise<void> {
  expect(marksIn(sentBytes)).toEqual([...PLACE_MARKS])
  expect(marksIn(stored)).toEqual([])
  expect(await pixels(stored)).toBe(await pixels(sentBytes))
  expect((await sharp(stored).metadata()).orientation).toBe(6)
}

describe('switched on', () => {
  beforeAll(() => setting('ja'))

  test.each(Object.keys(WAYS))('%s: place and camera are gone, the picture is the same', async way => {
    for (const type of ['jpeg', 'png', 'webp'] as const) {
      // A different picture for each route, since equal bytes may get the same path.
      const bytes = await photo(type, { orientation: 6, seed: Object.keys(WAYS).indexOf(way) })
      const stored = await WAYS[way]!(bytes, NAMES[type], on.token)
      await expectStripped(bytes, await storedBytes(stored))
    }
  })

  test('the path without a name follows from what is stored', async () => {
    const bytes = await photo('jpeg', { orientation: 6, seed: 40 })
    const stored = await WAYS['as a form, without a path']!(bytes, 'foto.jpg', on.token)
    expect(stored.path).toBe(`uploads/${stored.sha256!.slice(0, 32)}.jpg`)
  })

  test('the bytes decide, not the name', async () => {
    const bytes = await photo('jpeg', { orientation: 6, seed: 41 })
    await expectStripped(
      bytes,
      await storedBytes(await WAYS['raw, with a path']!(bytes, 'foto.png', on.token)),
    )
  })

  test('a token that says no keeps what it sends', async () => {
    const { token } = await admin.create({ exif_entfernen: false })
    const bytes = await photo('jpeg', { seed: 42 })
    expectSameBytes(await storedBytes(await WAYS['raw, with a path']!(bytes, 'a.jpg', token)), bytes)
  })

  test.each<[string, Uint8Array<ArrayBuffer>]>([
    ['a text', new Uint8Array(Buffer.from(`Exif ${PLACE_MARKS.join()}`))],
    ['the beginning of a picture', new Uint8Array(Buffer.from('\xff\xd8\xff\xe1\xff\xff', 'latin1'))],
  ])('%s is stored as sent', async (_, bytes) => {
    expectSameBytes(await storedBytes(await WAYS['raw, with a path']!(bytes, 'a.jpg', on.token)), bytes)
  })

  notUnderWine.exif('scaled down too: still without them', async () => {
    const { token } = await admin.create({ max_kante: 10 })
    const bytes = await photo('jpeg', { width: 40, height: 20, seed: 43 })
    const stored = await storedBytes(await WAYS['raw, with a path']!(bytes, 'a.jpg', token))
    expect([marksIn(stored), (await sharp(stored).metadata()).width]).toEqual([[], 10])
  })
})

describe('switched off, as by default', () => {
  beforeAll(() => setting(null))

  test.each(Object.keys(WAYS))('%s: byte for byte', async way => {
    const bytes = await photo('jpeg', { seed: 50 + Object.keys(WAYS).indexOf(way) })
    const stored = await storedBytes(await WAYS[way]!(new Uint8Array(bytes), 'foto.jpg', on.token))
    expectSameBytes(stored, bytes)
  })

  test('a token that wants them removed, and changes its mind', async () => {
    const { id, token, exif_entfernen } = await admin.create({ exif_entfernen: true })
    expect(exif_entfernen).toBe(true)
    const bytes = await photo('png', { orientation: 6, seed: 60 })
    await expectStripped(bytes, await storedBytes(await WAYS['raw, with a path']!(bytes, 'a.png', token)))
    expect((await admin.patch(id, { exif_entfernen: null })).exif_entfernen).toBeNull()
    expectSameBytes(await storedBytes(await WAYS['raw, with a path']!(bytes, 'b.png', token)), bytes)
  })
})

test('other values are refused: setting and token', async () => {
  for (const EXIF_ENTFERNEN of ['vielleicht', 'true']) {
    const put = { method: 'PUT', json: { EXIF_ENTFERNEN }, session: on.session }
    await expectError(await dash(on.service, 'einstellungen', put), 400, /EXIF_ENTFERNEN .*ja oder nein/)
  }
  await expectError(await admin.call('', { json: { name: 'x', exif_entfernen: 'ja' } }), 400)
})

describe('what a picture says about its taking', () => {
  const taking = async (path: string) =>
    storedIn(await dash(on.service, `aufnahme/${path}`, { session: on.session }))
  const store = async (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    ((await storedIn(await upload(on.service, on.token, bytes, { 'X-Path': `taken/${name}` }))) as Stored)
      .path

  test.each<PhotoType>(['jpeg', 'png', 'webp'])('%s: time, camera and place', async type => {
    expect(
      await taking(await store(`photo.${type}`, await photo(type, { width: 400, height: 300 }))),
    ).toEqual({
      aufgenommen: '2024-05-06T07:08:09',
      kamera: 'Kamera-Hersteller Geraet 7',
      ort: { breitengrad: 52.483333, laengengrad: 13.383333 },
    })
  })

  test('without such data, and of any other file: nothing; of an absent one: 404', async () => {
    const plain = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#123456' } })
      .jpeg()
      .toBuffer()
    expect(await taking(await store('plain.jpg', new Uint8Array(plain)))).toEqual({})
    expect(await taking(await store('text.txt', new Uint8Array(Buffer.from('Exif'))))).toEqual({})
    await expectError(await dash(on.service, 'aufnahme/taken/gone.jpg', { session: on.session }), 404)
  })
})
