/** The headers of `POST /api/upload`, and every field of its answer. */
import { describe, expect, test } from 'bun:test'
import {
  bytesOf,
  exists,
  expectError,
  expectSameBytes,
  read,
  store,
  type UploadAnswer,
  upload,
} from '../support/api.ts'
import { concat, randomBytes, sha256 } from '../support/bytes.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { fileForm } from '../support/multipart.ts'
import { head, openRaw, sendRaw } from '../support/raw.ts'
import { startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()
const KEYS = ['mime', 'path', 'replaced', 'sha256', 'size', 'url']

describe('the answer', () => {
  test('has exactly the specified keys, with the truth in them', async () => {
    const bytes = randomBytes(1, 1234)
    const response = await upload(on.service, on.token, bytes, { 'X-Path': 'Answer/Exact.PNG' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
    const answer = (await response.json()) as UploadAnswer
    expect(Object.keys(answer).sort()).toEqual(KEYS)
    expect(answer).toEqual({
      url: `http://localhost:${on.service.port}/f/Answer/Exact.PNG`,
      path: 'Answer/Exact.PNG',
      size: 1234,
      sha256: sha256(bytes),
      mime: 'image/png',
      replaced: false,
    })
  })

  test('X-Path is kept exactly: case makes two files', async () => {
    await store(on.service, on.token, 'Case/A.txt', 'upper')
    await store(on.service, on.token, 'case/a.txt', 'lower')
    expect(await (await read(on.service, 'Case/A.txt')).text()).toBe('upper')
    expect(await (await read(on.service, 'case/a.txt')).text()).toBe('lower')
    expect((await read(on.service, 'case/A.txt')).status).toBe(404)
  })
})

describe('X-Overwrite', () => {
  test('without it a second upload replaces the first', async () => {
    expect((await store(on.service, on.token, 'over/a.txt', 'one')).replaced).toBe(false)
    expect((await store(on.service, on.token, 'over/a.txt', 'two')).replaced).toBe(true)
    expect(await (await read(on.service, 'over/a.txt')).text()).toBe('two')
  })

  test.each(['true', '0', 'no', 'nein'])('any value but false replaces: %s', async value => {
    await store(on.service, on.token, `over/${value}.txt`, 'one')
    const second = await store(on.service, on.token, `over/${value}.txt`, 'two', { 'X-Overwrite': value })
    expect(second.replaced).toBe(true)
  })

  test('false refuses with 409 and leaves file, hash and time as they were', async () => {
    await store(on.service, on.token, 'over/kept.txt', 'one')
    const record = async () =>
      (await fetch(`${on.service.url}/api/exists?pfad=over/kept.txt`, {
        headers: { Authorization: `Bearer ${on.token}` },
      }).then(response => response.json())) as unknown
    const before = await record()
    const second = { 'X-Path': 'over/kept.txt', 'X-Overwrite': 'false' }
    await leavesNothing(on.service.dataDir, async () => {
      await expectError(await upload(on.service, on.token, 'two', second), 409)
    })
    expect(await record()).toEqual(before)
    expect(await (await read(on.service, 'over/kept.txt')).text()).toBe('one')
  })

  test('false refuses before the body is sent', async () => {
    await store(on.service, on.token, 'over/early.txt', 'one')
    using connection = await openRaw(on.service.port)
    await connection.write(
      head('POST /api/upload', {
        Authorization: `Bearer ${on.token}`,
        'X-Path': 'over/early.txt',
        'X-Overwrite': 'false',
        'Content-Length': 50_000_000,
      }),
    )
    await expectError(await connection.answer(), 409)
  })

  test('false lets a new file in', async () => {
    const answer = await store(on.service, on.token, 'over/new.txt', 'one', { 'X-Overwrite': 'false' })
    expect(answer.replaced).toBe(false)
  })
})

describe('media type', () => {
  test.each([
    ['a.png', 'image/png'],
    ['a.PNG', 'image/png'],
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.gif', 'image/gif'],
    ['a.webp', 'image/webp'],
    ['a.mp4', 'video/mp4'],
    ['a.webm', 'video/webm'],
    ['a.mp3', 'audio/mpeg'],
    ['a.ogg', 'audio/ogg'],
    ['a.pdf', 'application/pdf'],
    ['a.json', 'application/json'],
    ['a.png.zip', 'application/zip'],
    ['a.qqq', 'application/octet-stream'],
    ['png', 'application/octet-stream'],
  ])('the extension decides: %s', async (name, mime) => {
    const answer = await store(on.service, on.token, `type/${name}`, 'x', { 'Content-Type': 'text/html' })
    expect(answer.mime).toBe(mime)
    expect((await read(on.service, `type/${name}`)).headers.get('content-type')).toBe(mime)
  })

  test.each(['application/x-thing', 'audio/webm;codecs=opus', 'text/plain; charset=utf-8', 'image/svg+xml'])(
    'X-Mime wins: %s',
    async mime => {
      const answer = await store(on.service, on.token, 'type/given.png', 'x', { 'X-Mime': mime })
      expect(answer.mime).toBe(mime)
      expect((await read(on.service, 'type/given.png')).headers.get('content-type')).toBe(mime)
    },
  )

  test('X-Mime belongs to its upload: the next one without it goes by the extension again', async () => {
    await store(on.service, on.token, 'type/again.png', 'x', { 'X-Mime': 'text/plain' })
    expect((await store(on.service, on.token, 'type/again.png', 'x')).mime).toBe('image/png')
  })

  test.each(['png', 'image/', '/png', 'image/png/x', 'image png', 'image/p ng', '<b>/x', 'a/b,c/d', 'ä/b'])(
    'X-Mime that is no media type is refused with 400: %s',
    async mime => {
      const given = {
        Authorization: `Bearer ${on.token}`,
        'X-Path': 'type/bad.png',
        'X-Mime': mime,
        'Content-Length': 1,
      }
      await expectError(await sendRaw(on.service.port, `${head('POST /api/upload', given)}x`), 400)
      expect(await exists(on.service, on.token, 'type/bad.png')).toBe(false)
    },
  )
})

describe('without X-Path', () => {
  test('the path is built from the SHA-256, below uploads/', async () => {
    const bytes = randomBytes(30, 2000)
    const name = sha256(bytes).slice(0, 32)
    const response = await upload(on.service, on.token, bytes, { 'X-Mime': 'image/png' })
    const answer = (await response.json()) as UploadAnswer
    expect(answer.path).toBe(`uploads/${name}.png`)
    expect(answer.url).toEndWith(`/f/uploads/${name}.png`)
    expectSameBytes(await bytesOf(await read(on.service, answer.path)), bytes)
  })

  test('a part gives its extension and nothing more of its name', async () => {
    const bytes = randomBytes(31, 2000)
    const response = await upload(on.service, on.token, fileForm(bytes, 'Mein Bild.JPG'))
    const { path } = (await response.json()) as UploadAnswer
    expect(path.toLowerCase()).toBe(`uploads/${sha256(bytes).slice(0, 32)}.jpg`)
  })

  test('a hash of other bytes gives another path, the same bytes the same', async () => {
    const path = async (body: string) =>
      ((await (await upload(on.service, on.token, body)).json()) as UploadAnswer).path
    expect(await path('one')).toBe(await path('one'))
    expect(await path('one')).not.toBe(await path('two'))
    expect(await path('one')).toMatch(/^uploads\/[0-9a-f]{32}(\.[a-z0-9]+)?$/)
  })

  test.each(['bilder/neu', 'bilder/neu/'])("it lies below the token's prefix: %s", async prefix => {
    const token = await on.service.createToken('--prefix', prefix)
    const body = concat('prefixed', prefix)
    const answer = (await (
      await upload(on.service, token, body, { 'X-Mime': 'image/png' })
    ).json()) as UploadAnswer
    expect(answer.path).toBe(`bilder/neu/${sha256(body).slice(0, 32)}.png`)
  })
})

describe('the address', () => {
  test.each([
    ['https://media.example.test', 'https://media.example.test/f/a.txt'],
    ['https://media.example.test/', 'https://media.example.test/f/a.txt'],
    ['https://example.test:8443/medien', 'https://example.test:8443/medien/f/a.txt'],
  ])('comes from PUBLIC_URL %s, never from the request', async (setting, url) => {
    await using service = await startService({ env: { PUBLIC_URL: setting } })
    const token = await service.createToken()
    const stranger = { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'ftp' }
    const headers = { Authorization: `Bearer ${token}`, 'X-Path': 'a.txt', 'Content-Length': 1, ...stranger }
    const uploaded = await sendRaw(service.port, `${head('POST /api/upload', headers)}x`)
    expect(await uploaded.json()).toMatchObject({ url })
    const asked = { Authorization: `Bearer ${token}`, ...stranger }
    const found = await sendRaw(service.port, head('GET /api/exists?pfad=a.txt', asked))
    expect(await found.json()).toMatchObject({ exists: true, url })
  })
})
