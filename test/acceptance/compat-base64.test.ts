/** `POST /api/v3/file/base64`: JSON with the file as text, with or without a data-URL prefix. */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read } from '../support/api.ts'
import { EVERY_BYTE, randomBytes, sha256 } from '../support/bytes.ts'
import { BASE64_ROUTE, expectStored, freshPng, postBase64 } from '../support/compat.ts'
import { media } from '../support/media.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const on = sharedService({ env: { MAX_UPLOAD_MB: '1' } })
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const recorded = async () => media('recorded-sound.webm')
const uneven = async () => randomBytes(8, 1000)
const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const lines = (base64: string) => base64.replace(/.{76}/g, '$&\r\n')

async function send(body: unknown): Promise<string> {
  return (await expectStored(await postBase64(on.service, on.token, body), BASE64_ROUTE)).path
}

describe('taken', () => {
  test.each<[string, () => Promise<Uint8Array>, (base64: string) => string, RegExp]>([
    ['bare', freshPng, base64 => base64, /\.png$/],
    ['as a data URL', freshPng, base64 => `data:image/png;base64,${base64}`, /\.png$/],
    ['as a data URL that lies', freshPng, base64 => `data:image/webp;base64,${base64}`, /\.png$/],
    ['as a data URL without a type', freshPng, base64 => `data:;base64,${base64}`, /\.png$/],
    ['with codecs', recorded, base64 => `data:audio/webm;codecs=opus;base64,${base64}`, /\.web[am]$/],
    [
      'with quoted codecs',
      recorded,
      base64 => `data:audio/webm;codecs="opus";base64,${base64}`,
      /\.web[am]$/,
    ],
    [
      'with codecs that hold a comma',
      recorded,
      base64 => `data:audio/webm;codecs=vp9,opus;base64,${base64}`,
      /\.web[am]$/,
    ],
    [
      'with quoted codecs that hold a comma',
      recorded,
      base64 => `data:audio/webm;codecs="vp9,opus";base64,${base64}`,
      /\.web[am]$/,
    ],
    ['without padding', uneven, base64 => base64.replace(/=+$/, ''), /\.bin$/],
    ['URL-safe', freshPng, urlSafe, /\.png$/],
    [
      'URL-safe, without padding, as a data URL',
      freshPng,
      base64 => `data:;base64,${urlSafe(base64)}`,
      /\.png$/,
    ],
    ['in lines', freshPng, lines, /\.png$/],
    ['with blanks around it', freshPng, base64 => `  ${base64}\n`, /\.png$/],
  ])('%s', async (_, make, written, ends) => {
    const bytes = await make()
    const path = await send({ base64: written(text(bytes)) })
    expect(path).toMatch(ends)
    expect(path).toContain(sha256(bytes).slice(0, 12))
    expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
  })

  test('sound in WebM stays sound', async () => {
    const base64 = `data:video/webm;codecs=opus;base64,${text(await recorded())}`
    const served = await read(on.service, await send({ base64, filename: 'voice.webm' }))
    expect(served.headers.get('content-type')).toStartWith('audio/webm')
  })

  test('where the bytes tell nothing, the type of the data URL does, then the name', async () => {
    const typed = await send({ base64: `data:text/csv;base64,${text(EVERY_BYTE)}` })
    expect((await read(on.service, typed)).headers.get('content-type')).toStartWith('text/csv')
    const named = await send({ base64: text(randomBytes(1, 99)), filename: 'a.css' })
    expect((await read(on.service, named)).headers.get('content-type')).toStartWith('text/css')
  })

  test('null for filename and path is as if they were left out', async () => {
    const bytes = await freshPng()
    const path = await send({ base64: text(bytes), filename: null, path: null })
    expect(path).toBe(`uploads/${sha256(bytes).slice(0, 12)}.png`)
  })

  test('whatever else is in it is ignored', async () => {
    await send({ base64: text(await freshPng()), metadata: { a: [1] }, retentionExempt: true, id: 7 })
  })

  test('as large as allowed, byte for byte', async () => {
    const bytes = randomBytes(5, 1024 * 1024)
    expectSameBytes(await bytesOf(await read(on.service, await send({ base64: text(bytes) }))), bytes)
  })
})

describe('written otherwise in JSON', () => {
  const escapedSlashes = (json: string) => json.replaceAll('/', '\\/')
  const escapedPluses = (json: string) => json.replaceAll('+', '\\u002b')

  test.each<[string, (base64: string) => string]>([
    [
      'its name and folder before the text',
      base64 => `{"filename":"A b.css","path":"sub","base64":"${base64}"}`,
    ],
    [
      'its name and folder after the text',
      base64 => `{"base64":"${base64}","filename":"A b.css","path":"sub"}`,
    ],
    ['its name in escapes', base64 => `{"\\u0062ase64":"${base64}","filename":"A b.css","path":"sub"}`],
    ['escaped slashes', base64 => escapedSlashes(`{"base64":"${base64}","filename":"A b.css","path":"sub"}`)],
    ['escaped pluses', base64 => escapedPluses(`{"base64":"${base64}","filename":"A b.css","path":"sub"}`)],
    [
      'line breaks',
      base64 => JSON.stringify({ base64: lines(base64), filename: 'A b.css', path: 'sub' }, null, 2),
    ],
    [
      'the text twice, of which the later counts',
      base64 => `{"base64":"QUJD","filename":"A b.css","path":"sub","base64":"${base64}"}`,
    ],
    [
      'null for nothing',
      base64 => `{"metadata":null,"base64":"${base64}","filename":"A b.css","path":"sub"}`,
    ],
    [
      'the name deeper down too',
      base64 => `{"a":{"base64":"QUJD"},"base64":"${base64}","filename":"A b.css","path":"sub"}`,
    ],
  ])('%s', async (_, written) => {
    // Bytes whose Base64 text is full of slashes and pluses.
    const bytes = Uint8Array.from({ length: 3000 }, (_, at) => [0xfb, 0xef, 0xbe, 0xff, 0xff, 0xff][at % 6]!)
    const path = await send(written(text(bytes)))
    expect(path).toBe(`uploads/sub/a-b-${sha256(bytes).slice(0, 12)}.css`)
    expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
  })

  test('as large as allowed although every character of it is escaped', async () => {
    const bytes = new Uint8Array(1024 * 1024).fill(0xff)
    const path = await send(escapedSlashes(`{"base64":"${text(bytes)}"}`))
    expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
  })
})

describe('refused, nothing stored', () => {
  const onlyBlanks = () => JSON.stringify({ base64: '\n'.repeat(3 * 1024 * 1024) })
  test.each<[string, number, unknown, RegExp]>([
    ['both alphabets in one text', 400, { base64: 'AA+-' }, /Base64/],
    ['URL-safe, cut off', 400, { base64: '-_-_A' }, /Base64/],
    ['half of the padding', 400, { base64: 'QQ=' }, /Base64/],
    ['a data URL that never begins', 400, { base64: 'data:video/webm;codecs=vp9' }, /Base64/],
    ['a line break in the text that is not escaped', 400, '{"base64":"QUJD\nQUJD"}', /JSON/],
    ['an escape that is none', 400, '{"base64":"QU\\x4aD"}', /JSON/],
    ['JSON that breaks after the text', 400, '{"base64":"QUJD","filename":}', /JSON/],
    ['a text that ends in nothing', 400, '{"base64":"QUJD', /JSON/],
    ['text and then null in the field', 400, '{"base64":"QUJD","base64":null}', /„base64“/],
    [
      'too much beside the text',
      413,
      { base64: 'QUJD', metadata: 'x'.repeat(70_000) },
      /neben.*„base64“.*64 KB/,
    ],
    ['a body of blanks', 413, onlyBlanks(), /1 MB/],
    ['broken JSON', 400, '{"base64": "AAAA"', /JSON/],
    ['no JSON at all', 400, 'AAAA', /JSON/],
    ['an empty body', 400, '', /./],
    ['no field base64', 400, { file: 'AAAA' }, /„base64“/],
    ['a list', 400, ['AAAA'], /base64/],
    ['null', 400, 'null', /base64/],
    ['a number', 400, { base64: 7 }, /„base64“/],
    ['null in the field', 400, { base64: null }, /„base64“/],
    ['no text in it', 400, { base64: '' }, /./],
    ['a data URL of nothing', 400, { base64: 'data:image/png;base64,' }, /./],
    ['another alphabet', 400, { base64: 'AA*A' }, /Base64/],
    ['cut off', 400, { base64: 'AAAAA' }, /Base64/],
    ['padding in the middle', 400, { base64: 'AA==AAAA' }, /Base64/],
    ['a filename that is no text', 400, { base64: 'AAAA', filename: 7 }, /„filename“.*Text/],
    ['a path that is no text', 400, { base64: 'AAAA', path: ['a'] }, /„path“.*Text/],
    ['one byte too many', 413, { base64: text(randomBytes(6, 1024 * 1024 + 1)) }, /1 MB/],
  ])('%s: %i', async (_, status, body, about) => {
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await postBase64(on.service, on.token, body), status, about)
    })
  })
})

test.each(['QUJ\u0141', 'QUJD\u{1F600}', 'QUJ\u00C1'])(
  'a letter beyond ASCII is no Base64: %s',
  async base64 => {
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await postBase64(on.service, on.token, { base64 }), 400)
    })
  },
)
