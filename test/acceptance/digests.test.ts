/** An upload with the checksum of its file is stored only if the bytes arrived unchanged. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { bytesOf, expectError, type HeaderMap, read, type UploadAnswer, upload } from '../support/api.ts'
import { concat, randomBytes, sha256 } from '../support/bytes.ts'
import { BASE64_ROUTE, expectStored, FORM_ROUTES, file, freshPng, post } from '../support/compat.ts'
import { filePart, field as formField, freshFolder, send as sendForm } from '../support/ingest.ts'
import { media } from '../support/media.ts'
import { fileForm, MULTIPART, multipart } from '../support/multipart.ts'
import * as pictures from '../support/pictures.ts'
import { makeTicket, useTicket } from '../support/tickets.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { storesNothing } from '../support/usage.ts'
import { zip } from '../support/zip.ts'

const on = sharedServiceWithAdmin()

type Bytes = Uint8Array<ArrayBuffer>
const dictionary = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
const OTHER = concat('other bytes')

/** Every header with a checksum of the file, and its value for these bytes. */
const ABOUT_FILE: [header: string, value: (bytes: Uint8Array) => string][] = [
  ['Repr-Digest', dictionary],
  ['X-Sha256', sha256],
  ['X-Sha256', bytes => sha256(bytes).toUpperCase()],
]

let count = 0
const path = () => `digests/${count++}.bin`
const encoded = (bytes: Bytes) => Buffer.from(bytes).toString('base64')

/** Every way to store one file; each answers 200 if the bytes are right. */
const WAYS: [
  what: string,
  make: () => Promise<Bytes>,
  send: (bytes: Bytes, h: HeaderMap) => Promise<Response>,
][] = [
  [
    '/api/upload, raw, short',
    async () => randomBytes(count++, 500),
    (bytes, h) => upload(on.service, on.token, bytes, { 'X-Path': path(), ...h }),
  ],
  [
    '/api/upload, raw, long',
    async () => randomBytes(count++, 300_000),
    (bytes, h) => upload(on.service, on.token, bytes, { 'X-Path': path(), ...h }),
  ],
  [
    '/api/upload, a form without X-Path',
    async () => randomBytes(count++, 500),
    (bytes, h) => upload(on.service, on.token, fileForm(bytes, 'a.bin'), h),
  ],
  [
    '/api/upload, Base64',
    async () => randomBytes(count++, 500),
    (bytes, h) =>
      upload(on.service, on.token, encoded(bytes), { 'X-Path': path(), 'X-Encoding': 'base64', ...h }),
  ],
  [
    '/api/upload, Base64 in a form',
    async () => randomBytes(count++, 500),
    (bytes, h) =>
      upload(on.service, on.token, fileForm(encoded(bytes), 'a'), {
        'X-Path': path(),
        'X-Encoding': 'base64',
        ...h,
      }),
  ],
  [
    'a ticket',
    async () => randomBytes(count++, 500),
    async (bytes, h) => useTicket((await makeTicket(on.service, on.token)).url, bytes, h),
  ],
  ...FORM_ROUTES.map((route): (typeof WAYS)[number] => [
    route,
    async () =>
      route.endsWith('video') ? media('clip.mp4') : route.endsWith('audio') ? media('tone.mp3') : freshPng(),
    (bytes, h) => post(on.service, route, on.token, [file('file', bytes)], h),
  ]),
  [
    BASE64_ROUTE,
    freshPng,
    (bytes, h) =>
      fetch(`${on.service.url}${BASE64_ROUTE}`, {
        method: 'POST',
        body: JSON.stringify({ base64: encoded(bytes) }),
        headers: { Authorization: on.token, 'Content-Type': 'application/json', ...h },
      }),
  ],
  [
    '/api/dash/upload with one file',
    freshPng,
    (bytes, h) =>
      sendForm(
        on.service,
        on.admin.session,
        [filePart('a.png', bytes), formField('ordner', freshFolder())],
        h,
      ),
  ],
]

describe.each(WAYS)('%s', (_, make, send) => {
  test.each(ABOUT_FILE)(
    '%s that matches is stored, one that does not is 400 and stores nothing',
    async (name, value) => {
      const bytes = await make()
      await storesNothing(on.service.dataDir, async () => {
        const response = await send(bytes, { [name]: value(OTHER) })
        expect(response.headers.get('x-fehler-code')).toBe('digest-differs')
        await expectError(response, 400, new RegExp(`${name}.*nichts wurde gespeichert`))
      })
      expect((await send(bytes, { [name]: value(bytes) })).status).toBe(200)
    },
  )

  test('an unreadable digest, and one of another algorithm, is ignored', async () => {
    const ignored: HeaderMap = {
      'Repr-Digest': 'sha-512=:AAAA:, sha-256=nonsense',
      'X-Sha256': 'abc',
      'Content-Digest': 'md5=:AAAA:',
    }
    expect((await send(await make(), ignored)).status).toBe(200)
  })
})

describe('Content-Digest', () => {
  const raw = (headers: HeaderMap) =>
    upload(on.service, on.token, concat('content'), { 'X-Path': path(), ...headers })

  test('is compared where the body is the file', async () => {
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await raw({ 'Content-Digest': dictionary(OTHER) }), 400, /Content-Digest/)
    })
    expect((await raw({ 'Content-Digest': dictionary(concat('content')) })).status).toBe(200)
  })

  test('is ignored in a form and as Base64', async () => {
    const wrong = { 'Content-Digest': dictionary(OTHER) }
    const bytes = await freshPng()
    const answers = [
      await upload(on.service, on.token, fileForm(bytes, 'a.png'), wrong),
      await upload(on.service, on.token, encoded(bytes), { 'X-Encoding': 'base64', ...wrong }),
      await post(on.service, '/api/image', on.token, [file('image', bytes)], wrong),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

test('one right and one wrong digest: refused', async () => {
  const bytes = concat('content')
  const headers = { 'X-Path': path(), 'X-Sha256': sha256(bytes), 'Repr-Digest': dictionary(OTHER) }
  await expectError(await upload(on.service, on.token, bytes, headers), 400, /Repr-Digest/)
})

test('judged before scaling down and before metadata are removed', async () => {
  const { token } = await on.admin.create({ max_kante: 50, exif_entfernen: true })
  const sent = await pictures.jpeg({ width: 200, height: 100, orientation: 6 })
  const response = await upload(on.service, token, sent, {
    'X-Path': 'digests/a.jpg',
    'X-Sha256': sha256(sent),
  })
  const answer = (await response.json()) as UploadAnswer
  expect([response.status, answer.verkleinert !== undefined]).toEqual([200, true])
  const stored = await bytesOf(await read(on.service, 'digests/a.jpg'))
  expect(sha256(stored)).toBe(answer.sha256)
  const again = { 'X-Path': 'digests/b.jpg', 'X-Sha256': sha256(stored) }
  await expectError(await upload(on.service, token, sent, again), 400)
})

test('a digest that does not match leaves the file that is there', async () => {
  const headers = { 'X-Path': 'digests/kept.txt' }
  await upload(on.service, on.token, 'first', headers)
  await expectError(
    await upload(on.service, on.token, 'second', { ...headers, 'X-Sha256': sha256(concat('first')) }),
    400,
  )
  expect(await (await read(on.service, 'digests/kept.txt')).text()).toBe('first')
})

test('of several file parts the digest is that of the part that is stored', async () => {
  const [own, other] = [await freshPng(), await freshPng()]
  const parts = [file('file', other), file('image', own)]
  const stored = await post(on.service, '/api/image', on.token, parts, { 'X-Sha256': sha256(own) })
  await expectStored(stored, '/api/image')
  await expectError(await post(on.service, '/api/image', on.token, parts, { 'X-Sha256': sha256(other) }), 400)
})

test('several files, or an archive, in a form of the dashboard are not about one file: the header is ignored', async () => {
  const wrong = { 'X-Sha256': sha256(OTHER) }
  const archive = filePart('a.zip', zip([{ name: 'in.txt', content: 'x' }]))
  for (const parts of [[filePart('a.txt', 'a'), filePart('b.txt', 'b')], [archive]]) {
    const all = [...parts, formField('ordner', freshFolder())]
    const response = await sendForm(on.service, on.admin.session, all, wrong)
    const { gespeichert } = (await response.json()) as { gespeichert: unknown[] }
    expect([response.status, gespeichert.length]).toEqual([200, parts.length])
  }
})

test('a page of another origin may send each of them', async () => {
  const response = await fetch(`${on.service.url}/api/upload`, { method: 'OPTIONS' })
  const allowed = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
  for (const name of ['repr-digest', 'content-digest', 'x-sha256']) expect(allowed).toContain(name)
})

test('a form whose digest is wrong is refused after a long file too, and nothing stays staged', async () => {
  const bytes = randomBytes(9, 400_000)
  await storesNothing(on.service.dataDir, async () => {
    const body = multipart([{ name: 'file', filename: 'a.bin', content: bytes }])
    const headers = { ...MULTIPART, 'X-Path': path(), 'Repr-Digest': dictionary(OTHER) }
    await expectError(await upload(on.service, on.token, body, headers), 400)
  })
})
