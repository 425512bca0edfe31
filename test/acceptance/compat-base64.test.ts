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

describe('refused, nothing stored', () => {
  test.each<[string, number, unknown, RegExp]>([
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
