/**
 * What a token may send is decided by the bytes of the file as well as by its label (extension or `X-Mime`).
 */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, store, upload } from '../support/api.ts'
import { concat, randomBytes, sha256 } from '../support/bytes.ts'
import { file, freshPng, post } from '../support/compat.ts'
import { type MediaName, media } from '../support/media.ts'
import { fileForm } from '../support/multipart.ts'
import * as pictures from '../support/pictures.ts'
import { sharedServiceWithAdmin, type TokenLimits } from '../support/token-admin.ts'
import { storesNothing } from '../support/usage.ts'
import { zip } from '../support/zip.ts'

const on = sharedServiceWithAdmin()
const tokens = new Map<string, Promise<string>>()
function tokenWith(limits: TokenLimits): Promise<string> {
  const key = JSON.stringify(limits)
  if (!tokens.has(key))
    tokens.set(
      key,
      on.admin.create(limits).then(({ token }) => token),
    )
  return tokens.get(key)!
}

type Make = () => Promise<Uint8Array<ArrayBuffer>>
const png: Make = () => freshPng()
const jpeg: Make = () => pictures.jpeg({ width: 24, height: 16 })
const program: Make = async () => concat('MZ\u0090\u0000\u0003', randomBytes(1, 500))
const text: Make = async () => concat('just text')
const noise: Make = async () => concat('\u0001\u0002\u0003\u0004', randomBytes(2, 500))
const pdf: Make = async () => concat('%PDF-1.7\n%')
const svg: Make = async () => concat('<svg xmlns="http://www.w3.org/2000/svg"/>')
const xmlSvg: Make = async () => concat('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')
const archive: Make = async () => zip([{ name: 'word/first.bin', content: randomBytes(3, 6000) }])
const oldOffice: Make = async () =>
  new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0])
const clip =
  (name: MediaName): Make =>
  async () =>
    media(name)

let count = 0
const send = async (kinds: string[], bytes: Uint8Array<ArrayBuffer>, name: string, mime?: string) =>
  upload(on.service, await tokenWith({ arten: kinds }), bytes, {
    'X-Path': `kinds/${count++}/${name}`,
    ...(mime !== undefined && { 'X-Mime': mime }),
  })

describe('refused: 403 names the kind, nothing is stored', () => {
  test.each<[what: string, kinds: string[], Make, name: string, mime: string | undefined, found: string]>([
    ['a program called a picture', ['bilder'], program, 'x.png', undefined, 'sonstige'],
    ['a program with X-Mime of a picture', ['bilder'], program, 'x.bin', 'image/jpeg', 'sonstige'],
    ['a program with a type nobody knows', ['bilder'], program, 'x', 'image/unheard-of', 'sonstige'],
    ['text called a picture', ['bilder'], text, 'x.png', undefined, 'sonstige'],
    ['text with the common misspelling image/jpg', ['bilder'], text, 'x.bin', 'image/jpg', 'sonstige'],
    ['text called sound, by X-Mime', ['audio'], text, 'x.txt', 'audio/x-wav', 'sonstige'],
    ['noise called a film', ['video'], noise, 'x.mp4', undefined, 'sonstige'],
    ['noise called Windows Media', ['video'], noise, 'x.wmv', undefined, 'sonstige'],
    ['noise called sound', ['audio'], noise, 'x.mp3', undefined, 'sonstige'],
    ['XML called a picture', ['bilder'], xmlSvg, 'x.png', undefined, 'sonstige'],
    ['a picture called other', ['sonstige'], png, 'x.bin', undefined, 'bilder'],
    ['a picture called a film', ['video'], png, 'x.mp4', undefined, 'bilder'],
    ['a picture with X-Mime of a film', ['video'], png, 'x.png', 'video/mp4', 'bilder'],
    ['a picture called a document', ['dokumente'], jpeg, 'x.txt', undefined, 'bilder'],
    ['a PDF called a picture', ['bilder'], pdf, 'x.jpg', undefined, 'dokumente'],
    ['a PDF called other', ['sonstige'], pdf, 'x.bin', undefined, 'dokumente'],
    ['an archive called text', ['dokumente'], archive, 'x.txt', undefined, 'sonstige'],
    ['an archive called a PDF', ['dokumente'], archive, 'x.pdf', undefined, 'sonstige'],
    ['a film called a picture', ['bilder'], clip('clip.mp4'), 'x.png', undefined, 'video'],
    ['a film called sound', ['audio'], clip('clip.mp4'), 'x.m4a', undefined, 'video'],
    ['a film in WebM called sound', ['audio'], clip('clip.webm'), 'x.bin', 'audio/webm', 'video'],
    ['sound called a film', ['video'], clip('tone.mp3'), 'x.mp4', undefined, 'audio'],
    ['sound called a picture', ['bilder'], clip('tone.ogg'), 'x.png', undefined, 'audio'],
    [
      'sound in a film container called other',
      ['sonstige'],
      clip('sound-only.mp4'),
      'x.bin',
      undefined,
      'video',
    ],
    // The label is still checked.
    ['a label that is not allowed', ['bilder'], png, 'x.bin', undefined, 'sonstige'],
    ['text whose label is not allowed', ['sonstige'], text, 'x.png', undefined, 'bilder'],
  ])('%s, token for %j', async (_, kinds, make, name, mime, found) => {
    await storesNothing(on.service.dataDir, async () => {
      const sentence = new RegExp(`„${found}“.*nur: ${kinds.join(', ')}`)
      await expectError(await send(kinds, await make(), name, mime), 403, sentence)
    })
  })
})

describe('the twins: taken, and served under the type of the label', () => {
  test.each<[what: string, kinds: string[], Make, name: string, mime: string | undefined, type: string]>([
    ['a picture', ['bilder'], png, 'x.png', undefined, 'image/png'],
    ['a JPEG called PNG', ['bilder'], jpeg, 'x.png', undefined, 'image/png'],
    ['a picture called a film, both allowed', ['bilder', 'video'], png, 'x.mp4', undefined, 'video/mp4'],
    [
      'a program called a picture, both allowed',
      ['bilder', 'sonstige'],
      program,
      'x.png',
      undefined,
      'image/png',
    ],
    ['text called a picture, both allowed', ['bilder', 'sonstige'], text, 'x.png', undefined, 'image/png'],
    ['a drawing, which has no signature', ['bilder'], svg, 'x.svg', undefined, 'image/svg+xml'],
    ['a drawing that begins as XML', ['bilder'], xmlSvg, 'x.svg', undefined, 'image/svg+xml'],
    ['a format without a signature', ['bilder'], noise, 'x.tga', undefined, 'image/x-tga'],
    ['text', ['dokumente'], text, 'x.txt', undefined, 'text/plain'],
    ['a PDF', ['dokumente'], pdf, 'x.pdf', undefined, 'application/pdf'],
    ['XML', ['dokumente'], xmlSvg, 'x.xml', undefined, 'application/xml'],
    ['a document in an archive', ['dokumente'], archive, 'x.docx', undefined, 'application/vnd.openxml'],
    ['an older document', ['dokumente'], oldOffice, 'x.doc', undefined, 'application/msword'],
    ['an archive', ['sonstige'], archive, 'x.zip', undefined, 'application/zip'],
    ['noise', ['sonstige'], noise, 'x.bin', undefined, 'application/octet-stream'],
    ['a film', ['video'], clip('clip.mp4'), 'x.mp4', undefined, 'video/mp4'],
    ['a film in WebM', ['video'], clip('clip.webm'), 'x.webm', undefined, 'video/webm'],
    ['sound', ['audio'], clip('tone.mp3'), 'x.mp3', undefined, 'audio/mpeg'],
    ['sound alone in MP4 as sound', ['audio'], clip('sound-only.mp4'), 'x.bin', 'audio/mp4', 'audio/mp4'],
    ['sound alone in MP4 as a film', ['video'], clip('sound-only.mp4'), 'x.mp4', undefined, 'video/mp4'],
    ['recorded sound as sound', ['audio'], clip('recorded-sound.webm'), 'x', 'audio/webm', 'audio/webm'],
    ['recorded sound as a film', ['video'], clip('recorded-sound.webm'), 'x.webm', undefined, 'video/webm'],
    ['M4A as sound', ['audio'], clip('tone.m4a'), 'x.m4a', undefined, 'audio/mp4'],
    ['M4A as a film', ['video'], clip('tone.m4a'), 'x.mp4', undefined, 'video/mp4'],
    ['Ogg as a film', ['video'], clip('tone.ogg'), 'x.ogv', undefined, 'video/ogg'],
  ])('%s, token for %j', async (_, kinds, make, name, mime, type) => {
    const bytes = await make()
    const response = await send(kinds, bytes, name, mime)
    const answer = await response.text()
    expect({ status: response.status, answer }).toEqual({ status: 200, answer })
    const { path } = JSON.parse(answer) as { path: string }
    const served = await read(on.service, path)
    expect(served.headers.get('content-type')).toStartWith(type)
    expectSameBytes(await bytesOf(served), bytes)
  })
})

test('in a form, without X-Path and as Base64 the same holds', async () => {
  const token = await tokenWith({ arten: ['bilder'] })
  const bytes = await program()
  for (const [body, headers] of [
    [fileForm(bytes, 'x.png'), {}],
    [bytes, { 'X-Mime': 'image/png' }],
    [Buffer.from(bytes).toString('base64'), { 'X-Encoding': 'base64', 'X-Path': 'kinds/encoded.png' }],
  ] as const) {
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await upload(on.service, token, body, headers), 403, /„sonstige“/)
    })
  }
})

test('on a compatibility route a label does not widen a limited token', async () => {
  const part = file('video', await noise(), { filename: 'x.mp4', type: 'video/mp4' })
  await storesNothing(on.service.dataDir, async () => {
    const token = await tokenWith({ arten: ['video'] })
    await expectError(await post(on.service, '/api/video', token, [part]), 403, /„sonstige“/)
  })
  const both = await tokenWith({ arten: ['video', 'sonstige'] })
  expect((await post(on.service, '/api/video', both, [part])).status).toBe(200)
})

test('a token without limits may call its bytes what it likes', async () => {
  const bytes = await program()
  const answer = await store(on.service, on.token, 'kinds/free.png', bytes)
  expect(answer).toMatchObject({ mime: 'image/png', sha256: sha256(bytes) })
})

describe('the largest edge holds for a picture by its bytes, whatever it is called', () => {
  test.each([
    ['edge.bin', undefined, 'application/octet-stream'],
    ['edge.mp4', undefined, 'video/mp4'],
    ['edge.svg', undefined, 'image/svg+xml'],
    ['edge.png', 'text/plain', 'text/plain'],
    ['edge', undefined, 'application/octet-stream'],
    ['edge.jpg', undefined, 'image/jpeg'],
  ])('%s, X-Mime %p', async (name, mime, type) => {
    const token = await tokenWith({ max_kante: 100 })
    const sent = await pictures.png({ width: 800, height: 600 })
    const headers: Record<string, string> = mime ? { 'X-Mime': mime } : {}
    const answer = await store(on.service, token, `kinds/${name}`, sent, headers)
    expect(answer).toMatchObject({ mime: type, verkleinert: { von: '800x600', auf: '100x75' } })
    const stored = await bytesOf(await read(on.service, `kinds/${name}`))
    expect([await pictures.sizeOf(stored), sha256(stored)]).toEqual(['100x75', answer.sha256])
  })

  test('the twin: a film called a picture is stored as sent', async () => {
    const token = await tokenWith({ max_kante: 10 })
    const sent = media('clip.mp4')
    expect(await store(on.service, token, 'kinds/film.png', sent)).not.toHaveProperty('verkleinert')
    expectSameBytes(await bytesOf(await read(on.service, 'kinds/film.png')), sent)
  })
})
