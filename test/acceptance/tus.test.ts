/**
 * Resumable uploads with the tus protocol 1.0.0: the answer to each request, and that no bytes are lost or
 * mixed up.
 */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { bytesOf, expectError, expectSameBytes, type HeaderMap, read, store } from '../support/api.ts'
import { concat, randomBytes, sha256 } from '../support/bytes.ts'
import { onDatabase } from '../support/data-folder.ts'
import { openRaw } from '../support/raw.ts'
import { makeTicket } from '../support/tickets.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { askUpload, bearer, createUpload, creation, offsetOf, pieceAt, TUS } from '../support/tus.ts'
import { storesNothing } from '../support/usage.ts'
import { eventually } from '../support/wait.ts'

const on = sharedServiceWithAdmin({ env: { MAX_UPLOAD_MB: '40' } })
const KB = 1024

let count = 0
const newPath = () => `tus/${++count}.bin`

interface Surface {
  base: string
  caller(): HeaderMap
}
const TOKEN: Surface = { base: '/api/tus', caller: () => bearer(on.token) }
const SESSION: Surface = {
  base: '/api/dash/tus',
  caller: () => ({ Cookie: `fundus_sitzung=${on.admin.session}` }),
}

async function create(length: number, metadata: HeaderMap = {}, { base, caller } = TOKEN): Promise<string> {
  const made = await createUpload(on.service, caller(), creation(length, metadata), base)
  expect([made.status, await made.text()]).toEqual([201, ''])
  return made.headers.get('location')!
}

const send = (
  location: string,
  offset: number,
  body: Uint8Array<ArrayBuffer> | string,
  more: HeaderMap = {},
  surface = TOKEN,
) => askUpload(on.service, 'PATCH', location, { ...pieceAt(offset), ...surface.caller(), ...more }, body)

const cancel = (location: string) => askUpload(on.service, 'DELETE', location, { ...TUS, ...TOKEN.caller() })

describe.each([
  ['with a token', TOKEN],
  ['in the dashboard', SESSION],
])('%s', (_, surface) => {
  test('a file in three pieces: every answer tells how far it is, and the last one where the file is', async () => {
    const [path, bytes] = [newPath(), randomBytes(1, 300 * KB)]
    const location = await create(bytes.length, { pfad: path }, surface)
    let at = 0
    for (const end of [1, 100 * KB, bytes.length]) {
      expect(await offsetOf(on.service, location, surface.caller())).toBe(at)
      const answer = await send(location, at, bytes.slice(at, end), {}, surface)
      expect([
        answer.status,
        answer.headers.get('upload-offset'),
        answer.headers.get('tus-resumable'),
      ]).toEqual([204, String(end), '1.0.0'])
      expect(Date.parse(answer.headers.get('upload-expires')!)).toBeGreaterThan(Date.now())
      expect(answer.headers.get('x-pfad')).toBe(end === bytes.length ? path : null)
      at = end
    }
    expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
    const look = await askUpload(on.service, 'HEAD', location, { ...TUS, ...surface.caller() })
    expect([look.headers.get('upload-offset'), look.headers.get('upload-length')]).toEqual(
      [bytes.length, bytes.length].map(String),
    )
    expect(look.headers.get('cache-control')).toBe('no-store')
    expect(look.headers.get('x-url')).toEndWith(`/f/${path}`)
    // Ending a finished upload does not remove its file.
    expect((await askUpload(on.service, 'DELETE', location, { ...TUS, ...surface.caller() })).status).toBe(
      204,
    )
    expect((await read(on.service, path)).status).toBe(200)
  })

  test('an upload of somebody else does not exist', async () => {
    const location = await create(5, { pfad: newPath() }, surface)
    const { token } = await on.admin.create()
    const [, id] = location.split('/tus/')
    for (const method of ['HEAD', 'PATCH', 'DELETE'])
      expect(
        (await askUpload(on.service, method, `/api/tus/${id}`, { ...pieceAt(0), ...bearer(token) })).status,
      ).toBe(404)
  })
})

test('the first piece may come with the creation, and be the last', async () => {
  const [path, bytes] = [newPath(), randomBytes(2, 70 * KB)]
  const headers = { ...pieceAt(0), ...creation(bytes.length, { pfad: path }) }
  const answer = await createUpload(on.service, TOKEN.caller(), headers, '/api/tus', bytes)
  expect([answer.status, answer.headers.get('upload-offset'), answer.headers.get('x-pfad')]).toEqual([
    201,
    String(bytes.length),
    path,
  ])
  expect(answer.headers.get('location')).toStartWith('/api/tus/')
  expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
})

test.each([
  ['no path: a name from the bytes', {}, /^uploads\/[0-9a-f]{32}\.bin$/],
  ['a file name alone gives its extension', { filename: 'Film.mp4' }, /^uploads\/[0-9a-f]{32}\.mp4$/],
  ['a file name in a folder', { filename: 'Film.mp4', ordner: 'tus/named' }, /^tus\/named\/Film\.mp4$/],
  ['a declared type', { filetype: 'image/png' }, /^uploads\/[0-9a-f]{32}\.png$/],
  [
    'an undeclared one',
    { filetype: 'application/octet-stream', filename: 'a.ytd' },
    /^uploads\/[0-9a-f]{32}\.ytd$/,
  ],
] as [string, HeaderMap, RegExp][])('%s', async (_, metadata, expected) => {
  const bytes = randomBytes(++count, 2000)
  const answer = await send(await create(bytes.length, metadata), 0, bytes)
  expect(answer.headers.get('x-pfad')).toMatch(expected)
})

test.each([
  ['no version', { 'Tus-Resumable': '' }, 412],
  ['another version', { 'Tus-Resumable': '0.2.2' }, 412],
  ['no length', { 'Upload-Length': '' }, 400],
  ['length 0', { 'Upload-Length': '0' }, 400],
  ['a negative length', { 'Upload-Length': '-5' }, 400],
  ['a length that comes later', { 'Upload-Length': '', 'Upload-Defer-Length': '1' }, 400],
  ['too large a length', { 'Upload-Length': String(41 * KB * KB) }, 413],
  ['metadata that is no Base64', { 'Upload-Metadata': 'pfad ???' }, 400],
  ['a name twice', { 'Upload-Metadata': 'pfad YQ==,pfad YQ==' }, 400],
  ['an invalid path', { 'Upload-Metadata': `pfad ${btoa('../a')}` }, 400],
  ['a folder without a name', { 'Upload-Metadata': `ordner ${btoa('a')}` }, 400],
  ['an invalid type', { 'Upload-Metadata': `filetype ${btoa('a picture')}` }, 400],
] as [string, HeaderMap, number][])(
  'a creation with %s is refused, and nothing is kept',
  async (_, headers, status) => {
    const before = await unfinished()
    const answer = await createUpload(on.service, TOKEN.caller(), { ...creation(5), ...headers })
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    await expectError(answer, status)
    expect(await unfinished()).toEqual(before)
  },
)

test.each([
  ['another offset', { 'Upload-Offset': '3' }, 409],
  ['no offset', { 'Upload-Offset': '' }, 400],
  ['no version', { 'Tus-Resumable': '' }, 412],
  ['another type', { 'Content-Type': 'application/octet-stream' }, 415],
  ['packed bytes', { 'Content-Encoding': 'gzip' }, 415],
  ['an unknown checksum', { 'Upload-Checksum': 'crc32 AAAA' }, 400],
  ['a checksum of other bytes', { 'Upload-Checksum': `sha1 ${btoa('x'.repeat(20))}` }, 460],
] as [string, HeaderMap, number][])(
  'a piece with %s is refused, and the upload goes on',
  async (_, headers, status) => {
    const path = newPath()
    const location = await create(5, { pfad: path })
    const answer = await send(location, 0, 'hello', headers)
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    await expectError(answer, status)
    expect(await offsetOf(on.service, location, TOKEN.caller())).toBe(0)
    expect((await send(location, 0, 'hello')).status).toBe(204)
    expect(await (await read(on.service, path)).text()).toBe('hello')
  },
)

test('a piece that is longer than the rest is refused', async () => {
  const location = await create(5, { pfad: newPath() })
  await expectError(await send(location, 0, 'hello world'), 413)
  expect(await offsetOf(on.service, location, TOKEN.caller())).toBe(0)
})

test.each(['sha1', 'sha256'])('a piece whose %s matches is taken', async algorithm => {
  const location = await create(5, { pfad: newPath() })
  const digest = createHash(algorithm).update('hello').digest('base64')
  expect((await send(location, 0, 'hello', { 'Upload-Checksum': `${algorithm} ${digest}` })).status).toBe(204)
})

test('a digest of the whole, given at the creation, is compared at the end', async () => {
  const digest = (text: string) => ({ 'X-Sha256': sha256(concat(text)) })
  for (const [sent, status] of [
    ['hello', 204],
    ['other', 400],
  ] as const) {
    const path = newPath()
    const headers = { ...creation(5, { pfad: path }), ...digest(sent) }
    const made = await createUpload(on.service, TOKEN.caller(), headers)
    const location = made.headers.get('location')!
    expect((await send(location, 0, 'hel')).status).toBe(204)
    expect((await send(location, 3, 'lo')).status).toBe(status)
    expect((await read(on.service, path)).status).toBe(status === 204 ? 200 : 404)
  }
})

test('methods in a header, where only POST gets through', async () => {
  const path = newPath()
  const location = await create(5, { pfad: path })
  const as = (method: string, headers: HeaderMap, body?: string) =>
    askUpload(
      on.service,
      'POST',
      location,
      { ...headers, ...TOKEN.caller(), 'X-HTTP-Method-Override': method },
      body,
    )
  expect((await as('HEAD', TUS)).headers.get('upload-offset')).toBe('0')
  expect((await as('PATCH', pieceAt(0), 'hello')).status).toBe(204)
  expect((await as('DELETE', TUS)).status).toBe(204)
  await expectError(await as('PUT', TUS), 405)
  expect(await (await read(on.service, path)).text()).toBe('hello')
})

test('OPTIONS tells everybody what is possible, and a page of another site may read every header', async () => {
  const answer = await fetch(`${on.service.url}/api/tus`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://a.example' },
  })
  const headers = ['tus-version', 'tus-extension', 'tus-checksum-algorithm', 'tus-max-size'].map(name =>
    answer.headers.get(name),
  )
  expect([answer.status, ...headers]).toEqual([
    204,
    '1.0.0',
    'creation,creation-with-upload,expiration,checksum,termination',
    'sha1,sha256',
    String(40 * KB * KB),
  ])
  const made = await createUpload(on.service, { ...TOKEN.caller(), Origin: 'https://a.example' }, creation(5))
  const exposed = made.headers.get('access-control-expose-headers')!.split(', ')
  expect(exposed).toEqual(
    expect.arrayContaining(['Location', 'Upload-Offset', 'X-Pfad', 'X-Url', 'X-Fehler-Code']),
  )
  await expectError(await createUpload(on.service, {}, creation(5)), 401)
})

test('what has arrived before the line broke is kept, and the rest is enough', async () => {
  const [path, bytes] = [newPath(), randomBytes(3, 900 * KB)]
  const location = await create(bytes.length, { pfad: path })
  const cut = await openRaw(Number(new URL(on.service.url).port))
  const headers = { Host: 'x', ...pieceAt(0), ...TOKEN.caller(), 'Content-Length': String(bytes.length) }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  await cut.write(`PATCH ${location} HTTP/1.1\r\n${head.join('')}\r\n`)
  await cut.write(bytes.subarray(0, 500 * KB))
  await eventually(
    'bytes arrive',
    async () =>
      (
        await onDatabase(
          on.service.dataDir,
          `select 1 from partial_upload where holder is not null and id = '${location.split('/').at(-1)}'`,
        )
      ).length > 0,
  )
  cut.close()
  let at = 0
  await eventually('the offset', async () => {
    at = await offsetOf(on.service, location, TOKEN.caller())
    return at > 0
  })
  expect(at).toBeLessThanOrEqual(500 * KB)
  expect((await send(location, at, bytes.slice(at))).status).toBe(204)
  expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
})

test('of many requests for one place one is taken, and nothing is mixed', async () => {
  const path = newPath()
  const all = Array.from({ length: 6 }, (_, at) => randomBytes(100 + at, 400 * KB))
  const location = await create(400 * KB, { pfad: path })
  const answers = await Promise.all(all.map(bytes => send(location, 0, bytes)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter(status => status === 204)).toHaveLength(1)
  for (const status of statuses) expect([204, 409, 423]).toContain(status)
  const stored = await bytesOf(await read(on.service, path))
  expect(sha256(stored)).toBe(sha256(all[statuses.indexOf(204)]!))
})

test('a client that is silent does not keep the next one out', async () => {
  const [path, bytes] = [newPath(), randomBytes(4, 200 * KB)]
  const location = await create(bytes.length, { pfad: path })
  using silent = await openRaw(Number(new URL(on.service.url).port))
  const headers = { Host: 'x', ...pieceAt(0), ...TOKEN.caller(), 'Content-Length': String(bytes.length) }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  await silent.write(`PATCH ${location} HTTP/1.1\r\n${head.join('')}\r\n`)
  await silent.write(bytes.subarray(0, 50 * KB))
  await eventually('the file', async () => {
    const at = await offsetOf(on.service, location, TOKEN.caller())
    const answer = await send(location, at, bytes.slice(at))
    return answer.status === 204
  })
  expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
})

const unfinished = () =>
  onDatabase<{ id: string }>(
    on.service.dataDir,
    'select id from partial_upload where finished = 0 order by id',
  )

test('cancelling removes the bytes and the upload', async () => {
  await storesNothing(on.service.dataDir, async () => {
    const location = await create(100, { pfad: newPath() })
    await send(location, 0, 'half')
    expect((await cancel(location)).status).toBe(204)
    expect((await cancel(location)).status).toBe(404)
    await expectError(await send(location, 4, 'more'), 404)
  })
})

test('unfinished uploads count for the quota, and no longer when they end', async () => {
  const { token } = await on.admin.create({ kontingent: 1000 })
  const start = (length: number) =>
    createUpload(on.service, bearer(token), creation(length, { pfad: newPath() }))
  const first = await start(600)
  expect(first.status).toBe(201)
  await expectError(await start(500), 413, /Kontingent/)
  await expectError(
    await fetch(`${on.service.url}/api/upload`, {
      method: 'POST',
      headers: bearer(token),
      body: 'x'.repeat(500),
    }),
    413,
  )
  const location = first.headers.get('location')!
  expect(
    (await askUpload(on.service, 'PATCH', location, { ...pieceAt(0), ...bearer(token) }, 'x'.repeat(600)))
      .status,
  ).toBe(204)
  await expectError(await start(500), 413)
  expect((await start(400)).status).toBe(201)
})

test('what the token may not store is refused at the creation, or at the end if only the bytes tell', async () => {
  const { token } = await on.admin.create({ praefix: 'tus/only', arten: ['bilder'], max_datei: 5000 })
  const start = (length: number, pfad: string) =>
    createUpload(on.service, bearer(token), creation(length, { pfad }))
  await expectError(await start(10, 'elsewhere/a.png'), 403)
  await expectError(await start(10, 'tus/only/a.txt'), 403)
  await expectError(await start(5001, 'tus/only/a.png'), 413)
  await storesNothing(on.service.dataDir, async () => {
    const location = (await start(10, 'tus/only/a.png')).headers.get('location')!
    const headers = { ...pieceAt(0), ...bearer(token) }
    await expectError(await askUpload(on.service, 'PATCH', location, headers, 'no picture'), 403)
    expect((await askUpload(on.service, 'HEAD', location, headers)).status).toBe(404)
  })
})

describe('overwriting', () => {
  const attempt = async (surface: Surface, path: string, metadata: HeaderMap) => {
    const made = await createUpload(
      on.service,
      surface.caller(),
      creation(3, { pfad: path, ...metadata }),
      surface.base,
    )
    if (made.status !== 201) return made.status
    return (await send(made.headers.get('location')!, 0, 'new', {}, surface)).status
  }
  test.each([
    ['a token overwrites', TOKEN, {}, 204],
    ['a token that shall not', TOKEN, { ueberschreiben: 'false' }, 409],
    ['a person does not overwrite', SESSION, {}, 409],
    ['a person who wants to', SESSION, { ueberschreiben: 'true' }, 204],
  ] as [string, Surface, HeaderMap, number][])('%s', async (_, surface, metadata, status) => {
    const path = newPath()
    await store(on.service, on.token, path, 'old')
    expect(await attempt(surface, path, metadata)).toBe(status)
    expect(await (await read(on.service, path)).text()).toBe(status === 204 ? 'new' : 'old')
  })
})

describe('with a ticket', () => {
  const at = (url: string) => `${new URL(url).pathname}/tus`

  test('a file in two pieces, without any key; the ticket is spent at the end', async () => {
    const { url } = await makeTicket(on.service, on.token, { ordner: 'tus/ticket' })
    const made = await createUpload(on.service, {}, creation(5, { pfad: 'a.bin' }), at(url))
    expect(made.status).toBe(201)
    const location = made.headers.get('location')!
    // There may be as many unfinished uploads as uses.
    await expectError(await createUpload(on.service, {}, creation(5), at(url)), 429)
    expect((await askUpload(on.service, 'PATCH', location, pieceAt(0), 'hel')).status).toBe(204)
    const last = await askUpload(on.service, 'PATCH', location, pieceAt(3), 'lo')
    expect([last.status, last.headers.get('x-pfad')]).toEqual([204, 'tus/ticket/a.bin'])
    expect(await (await read(on.service, 'tus/ticket/a.bin')).text()).toBe('hello')
    const used = await createUpload(on.service, {}, creation(5), at(url))
    expect(used.headers.get('tus-resumable')).toBe('1.0.0')
    await expectError(used, 401)
  })

  test('its limits hold: size at the creation, and another ticket does not find the upload', async () => {
    const { url } = await makeTicket(on.service, on.token, { ordner: 'tus/ticket', max_bytes: 4 })
    const other = await makeTicket(on.service, on.token, { ordner: 'tus/ticket' })
    await expectError(await createUpload(on.service, {}, creation(5), at(url)), 413)
    const made = await createUpload(on.service, {}, creation(4), at(url))
    const id = made.headers.get('location')!.split('/').at(-1)
    expect((await askUpload(on.service, 'HEAD', `${at(other.url)}/${id}`, TUS)).status).toBe(404)
  })
})

test('no more than 100 unfinished uploads of a token', async () => {
  const { token } = await on.admin.create()
  const start = () => createUpload(on.service, bearer(token), creation(5))
  const statuses = await Promise.all(Array.from({ length: 103 }, async () => (await start()).status))
  expect(statuses.filter(status => status === 201)).toHaveLength(100)
  await expectError(await start(), 429)
  expect((await createUpload(on.service, TOKEN.caller(), creation(5))).status).toBe(201)
})
