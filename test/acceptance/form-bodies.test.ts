/** Forms as real clients send them: parts in Base64, bodies that are no form, files without a file name. */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, type UploadAnswer, upload } from '../support/api.ts'
import { concat, randomBytes, sha256 } from '../support/bytes.ts'
import { FORM_ROUTES, freshPng } from '../support/compat.ts'
import { type DashUploadAnswer, freshFolder } from '../support/ingest.ts'
import { media } from '../support/media.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { storesNothing } from '../support/usage.ts'

const on = sharedServiceWithAdmin({ env: { MAX_UPLOAD_MB: '1' } })
const BOUNDARY = 'b0undary'
const FORM = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }

type Content = string | Uint8Array
const part = (disposition: string, headers: string[], content: Content) =>
  concat(
    [`--${BOUNDARY}`, `Content-Disposition: form-data; ${disposition}`, ...headers, '', ''].join('\r\n'),
    content,
    '\r\n',
  )
const form = (...parts: Uint8Array[]) => concat(...parts, `--${BOUNDARY}--\r\n`)

/** Encoded as e-mail libraries do: lines of 76 characters. */
const inLines = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\r\n')

const BASE64 = 'Content-Transfer-Encoding: base64'
const filePart = (bytes: Uint8Array, field = 'file', encoding = BASE64) =>
  part(`name="${field}"; filename="a.png"`, ['Content-Type: image/png', encoding], inLines(bytes))

const post = (
  route: string,
  body: Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string> = FORM,
) =>
  fetch(`${on.service.url}${route}`, {
    method: 'POST',
    body,
    headers: route.startsWith('/api/dash')
      ? { Cookie: `fundus_sitzung=${on.admin.session}`, ...headers }
      : { Authorization: `Bearer ${on.token}`, ...headers },
  })

describe('a file part with Content-Transfer-Encoding: base64 is stored decoded', () => {
  test.each([BASE64, 'Content-Transfer-Encoding: BASE64', 'content-transfer-encoding:base64'])(
    '/api/upload, %s',
    async encoding => {
      const bytes = await freshPng()
      const response = await post('/api/upload', form(filePart(bytes, 'file', encoding)))
      expect((await response.json()) as UploadAnswer).toMatchObject({
        size: bytes.length,
        sha256: sha256(bytes),
      })
    },
  )

  test('together with X-Encoding it is decoded once', async () => {
    const bytes = await freshPng()
    const response = await post('/api/upload', form(filePart(bytes)), { ...FORM, 'X-Encoding': 'base64' })
    expect(await response.json()).toMatchObject({ sha256: sha256(bytes) })
  })

  test.each(FORM_ROUTES)('%s', async route => {
    const kind = route.split('/').at(-1)!
    const bytes = { video: media('clip.mp4'), audio: media('tone.mp3') }[kind] ?? (await freshPng())
    const response = await post(route, form(filePart(bytes, kind)))
    const answer = await response.text()
    expect({ status: response.status, answer }).toEqual({ status: 200, answer })
    const { url, data } = JSON.parse(answer) as { url?: string; data?: { url: string } }
    const path = new URL(url ?? data!.url).pathname.slice('/f/'.length)
    expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
  })

  test('/api/dash/upload, beside a part as it is', async () => {
    const [one, two] = [await freshPng(), await freshPng()]
    const plain = part('name="file"; filename="b.png"', ['Content-Type: image/png'], two)
    const folder = part('name="ordner"', [], freshFolder())
    const response = await post('/api/dash/upload', form(filePart(one), plain, folder))
    const { gespeichert } = (await response.json()) as DashUploadAnswer
    expect(gespeichert.map(file => file.sha256)).toEqual([sha256(one), sha256(two)])
  })

  test('the largest file counts decoded', async () => {
    const fits = randomBytes(1, 1024 * 1024)
    expect((await post('/api/upload', form(filePart(fits)))).status).toBe(200)
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await post('/api/upload', form(filePart(randomBytes(2, 1024 * 1024 + 1)))), 413)
    })
  })

  test('broken Base64: 400, and nothing is stored', async () => {
    const broken = part('name="file"; filename="a.png"', [BASE64], '*** no Base64 ***')
    for (const route of ['/api/upload', '/api/image', '/api/dash/upload']) {
      await storesNothing(on.service.dataDir, async () => {
        await expectError(await post(route, form(broken)), 400, /Base64/)
      })
    }
  })

  test.each(['binary', '8bit', '7bit'])('the twin: %s is stored as it comes', async encoding => {
    const bytes = concat('YWJj')
    const plain = part('name="file"; filename="a.txt"', [`Content-Transfer-Encoding: ${encoding}`], bytes)
    expect(await (await post('/api/upload', form(plain))).json()).toMatchObject({ sha256: sha256(bytes) })
  })
})

describe('a body that is no form is told so', () => {
  test.each([...FORM_ROUTES, '/api/dash/upload', '/api/dash/herunterladen'])('%s', async route => {
    for (const [type, body] of [
      ['application/json', '{"file": "x"}'],
      ['image/png', 'bytes'],
      ['application/x-www-form-urlencoded', 'file=x'],
      ['multipart/mixed; boundary=x', '--x--'],
      ['', 'bytes'],
    ] as const) {
      const response = await post(route, body, { 'Content-Type': type })
      expect(response.headers.get('x-fehler-code')).toBe('form-expected')
      await expectError(response, 400, /erwartet ein Formular/)
    }
  })

  test.each([...FORM_ROUTES, '/api/dash/upload'])('the twin: a form without the file, on %s', async route => {
    const response = await post(route, form(part('name="other"', [], 'x')))
    await expectError(response, 400, /Im Formular fehlt das Dateifeld/)
  })
})

describe('a file that was sent without a file name is told so', () => {
  const rows = FORM_ROUTES.flatMap(route =>
    ['file', 'image', 'recording'].map((field): [string, string] => [route, field]),
  )
  test.each([...rows, ['/api/upload', 'file'], ['/api/dash/upload', 'file']])(
    '%s, field %s',
    async (route, field) => {
      for (const content of ['short', 'x'.repeat(300_000)]) {
        // The dashboard accepts longer texts, for its list of paths.
        const text = route.startsWith('/api/dash') ? content.repeat(4) : content
        const response = await post(route, form(part(`name="${field}"`, [], text)))
        expect(response.headers.get('x-fehler-code')).toBe('file-name-missing')
        await expectError(response, 400, new RegExp(`„${field}“ hat keinen Dateinamen`))
      }
    },
  )
})

test('an upload that is no form stays what it is on /api/upload: the file itself', async () => {
  const response = await upload(on.service, on.token, '{"file": "x"}', { 'Content-Type': 'application/json' })
  expect(await response.json()).toMatchObject({ size: 13 })
})
