/** The three body forms of `POST /api/upload`: every byte arrives, and a broken body changes nothing. */

import { describe, expect, test } from 'bun:test'
import {
  type Body,
  bytesOf,
  exists,
  expectError,
  expectSameBytes,
  type HeaderMap,
  read,
  type UploadAnswer,
  upload,
} from '../support/api.ts'
import { concat, EVERY_BYTE, randomBytes, sha256 } from '../support/bytes.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { BOUNDARY, fileForm, MULTIPART, multipart } from '../support/multipart.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'
import { nextTurn } from '../support/wait.ts'

const on = sharedService()
const BASE64 = { 'X-Encoding': 'base64' }
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Uploads, and checks that exactly `expected` is stored, reported and served. */
async function stores(path: string, body: Body, headers: HeaderMap, expected: Uint8Array) {
  const response = await upload(on.service, on.token, body, { 'X-Path': path, ...headers })
  const text = await response.text()
  expect({ status: response.status, text }).toEqual({ status: 200, text })
  const answer = JSON.parse(text) as UploadAnswer
  expect(answer).toMatchObject({ path, size: expected.length, sha256: sha256(expected) })
  expectSameBytes(await bytesOf(await read(on.service, path)), expected)
}

/** Uploads, and checks the status, the form of the error, and that nothing was stored. */
async function refuses(path: string, body: Body, headers: HeaderMap, status: number, about?: RegExp) {
  await leavesNothing(on.service.dataDir, async () => {
    await expectError(await upload(on.service, on.token, body, { 'X-Path': path, ...headers }), status, about)
  })
  expect(await exists(on.service, on.token, path)).toBe(false)
}

// Line ends, NUL, invalid UTF-8, and text that resembles a delimiter.
const AWKWARD = concat(EVERY_BYTE, `\r\n--${BOUNDARY.slice(0, -1)}x\r\n\r\n--`, EVERY_BYTE, '\r\n')

describe('raw bytes', () => {
  test.each([
    ['no type', {}],
    ['octet stream', { 'Content-Type': 'application/octet-stream' }],
    ['what it is', { 'Content-Type': 'image/png' }],
    ['JSON', { 'Content-Type': 'application/json' }],
    ['form fields', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['text', { 'Content-Type': 'text/plain; charset=utf-8' }],
  ])('are stored as sent, whatever the content type says: %s', async (name, headers) => {
    await stores(`raw/${name.replaceAll(' ', '-')}.bin`, AWKWARD, headers, AWKWARD)
  })

  test('a single byte is a file', () => stores('raw/one.bin', Uint8Array.of(0), {}, Uint8Array.of(0)))

  test('Base64 text without the header is stored as text', async () => {
    await stores('raw/base64.txt', 'AAAA', {}, concat('AAAA'))
  })

  test('arrive chunked, without a length, just the same', async () => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (let at = 0; at < AWKWARD.length; at += 100) {
          controller.enqueue(AWKWARD.slice(at, at + 100))
          await nextTurn()
        }
        controller.close()
      },
    })
    await stores('raw/chunked.bin', body, {}, AWKWARD)
  })

  test('a client that waits for 100-continue is served', async () => {
    using connection = await openRaw(on.service.port)
    const headers = {
      Authorization: `Bearer ${on.token}`,
      'X-Path': 'raw/continue.bin',
      'Content-Length': 5,
      Expect: '100-continue',
    }
    await connection.write(head('POST /api/upload', headers))
    await connection.write('12345')
    expect((await connection.answer()).status).toBe(200)
  })
})

describe('multipart', () => {
  test('the field `file` is stored', () => stores('form/a.bin', fileForm(AWKWARD), {}, AWKWARD))

  test.each([
    ['fields before', [{ name: 'path', content: 'x/y.png' }], []],
    ['fields after', [], [{ name: 'metadata', content: '{"a":1}' }]],
    ['files of other names before', [{ name: 'image', filename: 'x.png', content: 'PNG' }], []],
    ['files of other names after', [], [{ name: 'files', filename: 'x.png', content: 'PNG' }]],
    ['a longer name', [{ name: 'file2', filename: 'x.png', content: 'PNG' }], []],
  ])('everything else is ignored: %s', async (name, before, after) => {
    const file = { name: 'file', filename: 'a.bin', content: AWKWARD }
    const body = multipart([...before, file, ...after])
    await stores(`form/${name.replaceAll(' ', '-')}.bin`, body, MULTIPART, AWKWARD)
  })

  test.each([
    ['preamble', concat('preamble\r\n', multipart([{ name: 'file', filename: 'a', content: 'x' }]))],
    ['epilogue', concat(multipart([{ name: 'file', filename: 'a', content: 'x' }]), 'epilogue')],
  ])('%s is ignored', (name, body) => stores(`form/${name}.bin`, body, MULTIPART, concat('x')))

  test('a quoted boundary and upper case in the type are understood', async () => {
    const type = { 'Content-Type': `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"` }
    const body = multipart([{ name: 'file', filename: 'a', content: 'x' }])
    await stores('form/quoted.bin', body, type, concat('x'))
  })

  test('neither file name nor type of the part decides: path and media type stay those of X-Path', async () => {
    const file = { name: 'file', filename: '../../evil.html', type: 'text/html', content: 'x' }
    const response = await upload(on.service, on.token, multipart([file]), {
      ...MULTIPART,
      'X-Path': 'form/label.png',
    })
    expect(await response.json()).toMatchObject({ path: 'form/label.png', mime: 'image/png' })
  })

  test.each([
    ['short', 'x'],
    ['longer than any text field', 'x'.repeat(300 * 1024)],
  ])('a field `file` without a file name says exactly that: %s', (_, content) =>
    refuses(
      'form/nameless.bin',
      multipart([{ name: 'file', content }]),
      MULTIPART,
      400,
      /„file“ hat keinen Dateinamen/,
    ),
  )

  test('the twins: no such field is another sentence, and beside the file a text of its name does no harm', async () => {
    const other = multipart([{ name: 'text', content: 'x' }])
    await refuses('form/nameless.bin', other, MULTIPART, 400, /fehlt das Dateifeld „file“/)
    const both = multipart([
      { name: 'file', content: 'a.bin' },
      { name: 'file', filename: 'a.bin', content: 'x' },
    ])
    await stores('form/both.bin', both, MULTIPART, concat('x'))
  })

  test.each(['files[]', 'image', 'FILE', 'idcard_photo'])(
    'a sole file is taken under the name %s too',
    name =>
      stores('form/sole.bin', multipart([{ name, filename: 'a.bin', content: 'x' }]), MULTIPART, concat('x')),
  )

  test('beside a file of another name the one called `file` is taken, whatever their order', async () => {
    const parts = [
      { name: 'image', filename: 'a.bin', content: 'other' },
      { name: 'file', filename: 'b.bin', content: 'wanted' },
    ]
    for (const form of [parts, parts.toReversed()])
      await stores('form/order.bin', multipart(form), MULTIPART, concat('wanted'))
  })

  const whole = multipart([{ name: 'file', filename: 'a.bin', content: randomBytes(7, 5000) }])
  test.each([
    ['no field at all', multipart([]), MULTIPART],
    [
      'several files, none of that name',
      multipart([
        { name: 'image', filename: 'a.png', content: 'x' },
        { name: 'FILE', filename: 'b.png', content: 'y' },
      ]),
      MULTIPART,
    ],
    ['only a text field', multipart([{ name: 'text', content: 'x' }]), MULTIPART],
    ['an empty file', multipart([{ name: 'file', filename: 'a.png', content: '' }]), MULTIPART],
    ['an empty body', '', MULTIPART],
    ['no boundary', whole, { 'Content-Type': 'multipart/form-data' }],
    ['another boundary', whole, { 'Content-Type': 'multipart/form-data; boundary=other' }],
    ['cut in the content', whole.slice(0, 2000), MULTIPART],
    ['cut in the closing delimiter', whole.slice(0, -8), MULTIPART],
    ['cut in the part headers', whole.slice(0, 40), MULTIPART],
  ])('refused with 400, nothing stored: %s', (_, body, headers) =>
    refuses('form/refused.bin', body, headers, 400),
  )
})

describe('Base64', () => {
  const plain = base64(AWKWARD)
  test.each([
    ['plain', plain],
    ['with a data-URL prefix', `data:image/png;base64,${plain}`],
    ['with a prefix that has parameters', `data:audio/webm;codecs=opus;base64,${plain}`],
    ['with a prefix without type', `data:;base64,${plain}`],
    ['with codecs that hold a comma', `data:video/webm;codecs=vp9,opus;base64,${plain}`],
    ['with quoted codecs that hold a comma', `data:video/webm;codecs="vp9,opus";base64,${plain}`],
    ['URL-safe', plain.replaceAll('+', '-').replaceAll('/', '_')],
    ['without its padding', plain.replace(/=+$/, '')],
    ['lines of 76 and CRLF', plain.replace(/.{76}/g, '$&\r\n')],
    ['lines of 64 and LF', `${plain.replace(/.{64}/g, '$&\n')}\n`],
    ['lines whose length is no multiple of four', plain.replace(/.{7}/g, '$&\n')],
  ])('is decoded: %s', (name, body) =>
    stores(`base64/${name.replaceAll(/[^a-z]/gi, '-')}.bin`, body, BASE64, AWKWARD),
  )

  test.each([1, 2, 3, 4, 5])('of %i bytes is decoded', length => {
    const bytes = randomBytes(length, length)
    return stores(`base64/length-${length}.bin`, base64(bytes), BASE64, bytes)
  })

  test.each([
    ['other characters', '!!!!'],
    ['one bad character in the middle', `${plain.slice(0, 40)}*${plain.slice(41)}`],
    ['one bad character at the end', `${plain.slice(0, -1)}%`],
    ['letters outside ASCII', 'AAAÄ'],
    ['a NUL', 'AAA\0'],
    ['a length that no bytes give', 'AAAAA'],
    ['padding alone', '===='],
    ['too much padding', 'A==='],
    ['padding after whole groups', 'AAAA='],
    ['padding inside a group', 'AA=A'],
    ['text after the padding', 'AA==AAAA'],
    ['nothing', ''],
    ['only blanks', ' \r\n \n'],
    ['only a prefix', 'data:image/png;base64,'],
    ['two prefixes', `data:image/png;base64,data:image/png;base64,${plain}`],
  ])('refused with 400, nothing stored: %s', (_, body) => refuses('base64/broken.bin', body, BASE64, 400))

  test('broken late, after a megabyte: refused, nothing stored', async () => {
    const body = `${base64(randomBytes(3, 1_200_000))}!!!!`
    await refuses('base64/late.bin', body, BASE64, 400, /Base64/)
  })
})

describe('empty body', () => {
  test('of length 0 is refused', () => refuses('empty.bin', '', {}, 400, /leer/))

  test.each([
    ['without length or body', {}, ''],
    ['chunked and empty', { 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'],
  ])('is refused: %s', async (_, headers, body) => {
    using connection = await openRaw(on.service.port)
    const given = { Authorization: `Bearer ${on.token}`, 'X-Path': 'empty.bin', ...headers }
    await leavesNothing(on.service.dataDir, async () => {
      await connection.write(head('POST /api/upload', given) + body)
      await expectError(await connection.answer(), 400, /leer/)
    })
  })

  test('does not empty the file that is there', async () => {
    await stores('kept.bin', AWKWARD, {}, AWKWARD)
    await expectError(await upload(on.service, on.token, '', { 'X-Path': 'kept.bin' }), 400)
    expectSameBytes(await bytesOf(await read(on.service, 'kept.bin')), AWKWARD)
  })
})

describe('a file of 10 MB', () => {
  const large = randomBytes(10, 10 * 1024 * 1024)
  test.each([
    ['raw', () => large, {}],
    ['multipart', () => fileForm(large), {}],
    ['Base64', () => base64(large), BASE64],
  ])('arrives whole: %s', (name, body, headers) => stores(`large/${name}.bin`, body(), headers, large))
})
