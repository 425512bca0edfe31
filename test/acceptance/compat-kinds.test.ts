/**
 * How the type of a file is determined: by its bytes, else by its declared type, else by its name; and 415 if
 * it does not fit the route.
 */
import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { bytesOf, expectError, expectSameBytes, read, type UploadAnswer, upload } from '../support/api.ts'
import { concat, randomBytes } from '../support/bytes.ts'
import { file, freshPng, OLDER, post, put, VERSION_2 } from '../support/compat.ts'
import { type MediaName, media } from '../support/media.ts'
import { MULTIPART, multipart, type Part } from '../support/multipart.ts'
import * as pictures from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const on = sharedService()

type Make = () => Promise<Uint8Array>
let seed = 3000
const webp: Make = async () =>
  new Uint8Array(
    await sharp(await freshPng())
      .webp()
      .toBuffer(),
  )
const jpeg: Make = () => pictures.jpeg({ width: 24, height: 16, seed: seed++ })
const gif: Make = () => pictures.gif({ width: 24, height: 16, seed: seed++ })
const svg: Make = async () => concat(`<svg xmlns="http://www.w3.org/2000/svg" id="x${seed++}"/>`)
const text: Make = async () => concat(`text ${seed++}`)
const pdf: Make = async () => concat(`%PDF-1.4\n%${seed++}`)
const program: Make = async () => concat('MZ\u0000\u0001', randomBytes(seed++, 500))
/** Bytes that match no format. */
const noise: Make = async () => concat('\u0001\u0002\u0003\u0004', randomBytes(seed++, 500))
const kept = (name: MediaName): Make => {
  return async () => media(name)
}
const recorded = kept('recorded-sound.webm')
const opus = kept('tone-opus.ogg')

const OCTETS = 'application/octet-stream'
const OPUS = 'audio/webm;codecs=opus'

/** A part as its client labels it; an empty type is omitted. */
function labelled(route: string, content: Uint8Array, filename: string, type: string): Part {
  return { name: route.split('/').at(-1)!, content, filename, ...(type !== '' && { type }) }
}

describe('taken, stored under the extension of what it really is, served as that', () => {
  type Row = [what: string, route: string, Make, filename: string, type: string, ends: RegExp, mime: string]
  test.each<Row>([
    ['WebP called PNG', '/api/image', webp, 'image.png', 'image/png', /\.webp$/, 'image/webp'],
    ['PNG called JPEG', '/api/image', freshPng, 'shot.jpg', 'image/jpeg', /\.png$/, 'image/png'],
    ['PNG called a video', '/api/image', freshPng, 'a.mp4', 'video/mp4', /\.png$/, 'image/png'],
    ['JPEG called blob', '/api/image', jpeg, 'blob', 'image/jpeg', /\.jpe?g$/, 'image/jpeg'],
    ['octets called blob', '/api/image', freshPng, 'blob', OCTETS, /\.png$/, 'image/png'],
    ['an empty name', '/api/image', gif, '', OCTETS, /\.gif$/, 'image/gif'],
    ['no type', '/api/image', freshPng, 'x', '', /\.png$/, 'image/png'],
    ['undefined', '/api/image', webp, 'screenshot.undefined', 'image/undefined', /\.webp$/, 'image/webp'],
    ['a recording', '/api/audio', recorded, 'blob', OPUS, /\.(webm|weba)$/, 'audio/webm'],
    ['one called a video', '/api/audio', recorded, 'a.webm', 'video/webm', /\.(webm|weba)$/, 'audio/webm'],
    ['one without a word', '/api/audio', recorded, 'blob', OCTETS, /\.(webm|weba)$/, 'audio/webm'],
    ['sound in MP4', '/api/audio', kept('sound-only.mp4'), 'a.mp4', 'video/mp4', /\.(mp4|m4a)$/, 'audio/'],
    ['MP3', '/api/audio', kept('tone.mp3'), 'blob', OCTETS, /\.mp3$/, 'audio/mpeg'],
    ['Ogg called MP3', '/api/audio', kept('tone.ogg'), 'a.mp3', 'audio/mpeg', /\.ogg$/, 'audio/ogg'],
    ['M4A', '/api/audio', kept('tone.m4a'), 'blob', OCTETS, /\.m4a$/, 'audio/'],
    ['a clip called sound', '/api/video', kept('clip.webm'), 'blob', OPUS, /\.webm$/, 'video/webm'],
    [
      'quoted codecs',
      '/api/video',
      kept('clip.webm'),
      'b',
      'video/webm;codecs="vp8, opus"',
      /\.webm$/,
      'video/',
    ],
    ['MP4', '/api/video', kept('clip.mp4'), 'video.undefined', OCTETS, /\.mp4$/, 'video/mp4'],
    ['noise, by its type', '/api/video', noise, 'blob', 'video/quicktime', /\.(mov|qt)$/, 'video/quicktime'],
    ['noise, type before name', '/api/video', noise, 'a.mp3', 'video/mp4', /./, 'video/mp4'],
    ['noise, by its name', '/api/audio', noise, 'a.wav', OCTETS, /\.wav$/, 'audio/'],
    ['SVG, by its label', '/api/image', svg, 'a.svg', 'image/svg+xml', /\.svg$/, 'image/svg+xml'],
    ['SVG without a declared type', '/api/image', svg, 'x.svg', '', /\.svg$/, 'image/svg+xml'],
    ['noise without a declared type', '/api/audio', noise, 'a.wav', '', /\.wav$/, 'audio/'],
    ['Opus sent as .ogg', '/api/audio', opus, 'a.ogg', 'audio/ogg', /\.ogg$/, 'audio/ogg'],
    ['Opus sent as .OGG without a type', '/api/audio', opus, 'A.OGG', '', /\.ogg$/, 'audio/ogg'],
    ['the twin: Opus that nobody named', '/api/audio', opus, 'blob', 'audio/ogg', /\.opus$/, 'audio/ogg'],
    ['the twin: Opus called MP3', '/api/audio', opus, 'a.mp3', 'audio/mpeg', /\.opus$/, 'audio/ogg'],
  ])('%s on %s', async (_, route, make, filename, type, ends, mime) => {
    const bytes = await make()
    const { path } = await put(on.service, route, on.token, [labelled(route, bytes, filename, type)])
    expect(path).toMatch(ends)
    const served = await read(on.service, path)
    expect(served.headers.get('content-type')).toStartWith(mime)
    expectSameBytes(await bytesOf(served), bytes)
  })
})

describe('415 with a reason, nothing stored', () => {
  type Row = [what: string, route: string, Make, filename: string, type: string, reason: RegExp]
  const rows: Row[] = [
    ['a video', '/image', kept('clip.webm'), 'a.webm', 'video/webm', /video/i],
    ['a video called a picture', '/image', kept('clip.mp4'), 'a.png', 'image/png', /video/i],
    ['sound', '/image', kept('tone.mp3'), 'a.png', 'image/png', /audio/i],
    ['text', '/image', text, 'a.txt', 'text/plain', /dokumente/i],
    ['noise', '/image', noise, 'blob', OCTETS, /sonstige/i],
    ['noise called undefined', '/image', noise, 'screenshot.undefined', OCTETS, /sonstige/i],
    ['a picture', '/video', freshPng, 'a.mp4', 'video/mp4', /bilder/i],
    ['sound in WebM', '/video', recorded, 'blob', 'video/webm', /audio/i],
    ['sound in MP4', '/video', kept('sound-only.mp4'), 'a.mp4', 'video/mp4', /audio/i],
    ['a picture', '/audio', freshPng, 'a.mp3', 'audio/mpeg', /bilder/i],
    ['a clip in WebM', '/audio', kept('clip.webm'), 'blob', OPUS, /video/i],
    ['a clip in MP4', '/audio', kept('clip.mp4'), 'a.m4a', 'audio/mp4', /video/i],
    ['a program', '/audio', program, 'a.exe', OCTETS, /sonstige/i],
  ]
  const onBoth = rows.flatMap(([what, route, ...rest]) =>
    ['/api', '/api/v2'].map(base => [what, `${base}${route}`, ...rest] as const),
  )
  test.each(onBoth)('%s on %s', async (_, route, make, filename, type, reason) => {
    const part = labelled(route, await make(), filename, type)
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await post(on.service, route, on.token, [part]), 415, reason)
    })
  })

  test('the sentence says what was sent and what would be taken', async () => {
    const response = await post(on.service, '/api/image', on.token, [file('image', media('clip.mp4'))])
    const sentence = await expectError(response, 415, /video/i)
    expect(sentence).toMatch(/bilder/i)
  })

  test.each([...OLDER, ...VERSION_2])('%s: the winner is judged, not what was passed over', async route => {
    const own = route.split('/').at(-1)!
    const wrong = file(own, 'text', { filename: 'a.txt', type: 'text/plain' })
    const response = await post(on.service, route, on.token, [wrong, file('recording', await freshPng())])
    await expectError(response, 415, /dokumente/i)
  })
})

describe('/api/v3/file takes any kind', () => {
  test.each<[string, Make, filename: string, type: string, ends: RegExp]>([
    ['a picture', freshPng, 'a', '', /\.png$/],
    ['a video', kept('clip.mp4'), 'a', '', /\.mp4$/],
    ['sound', kept('tone.ogg'), 'a', '', /\.ogg$/],
    ['a document', pdf, 'a', '', /\.pdf$/],
    ['text', text, 'a.txt', 'text/plain', /\.txt$/],
    ['anything', noise, 'blob', OCTETS, /\.bin$/],
  ])('%s', async (_, make, filename, type, ends) => {
    const bytes = await make()
    const part = labelled('/api/v3/file', bytes, filename, type)
    const { path } = await put(on.service, '/api/v3/file', on.token, [part])
    expect(path).toMatch(ends)
    expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
  })
})

describe('a part without a type of its own declares nothing: bytes, then name', () => {
  const stored = async (content: Uint8Array, filename: string, type: string) => {
    const part = labelled('/api/v3/file', content, filename, type)
    const { path } = await put(on.service, '/api/v3/file', on.token, [part])
    return [path.slice(path.lastIndexOf('.')), (await read(on.service, path)).headers.get('content-type')]
  }
  const uploaded = async (content: Uint8Array, filename: string, type: string) => {
    const body = multipart([labelled('/api/v3/file', content, filename, type)])
    const answer = (await (await upload(on.service, on.token, body, MULTIPART)).json()) as UploadAnswer
    return [answer.path.slice(answer.path.lastIndexOf('.')), answer.mime]
  }
  const NONE = 'application/octet-stream'

  test.each<[filename: string, type: string, Make, extension: string, mime: string]>([
    // An unknown extension is kept if the path rules allow it.
    ['tex.ytd', '', noise, '.ytd', NONE],
    ['TEX.YTD', '', text, '.ytd', NONE],
    ['tex.ytd', OCTETS, noise, '.ytd', NONE],
    ['a.b.my_ext-1', OCTETS, noise, '.my_ext-1', NONE],
    ['a.txt', '', text, '.txt', 'text/plain'],
    ['x.svg', '', svg, '.svg', 'image/svg+xml'],
    ['a.ytd', '', freshPng, '.png', 'image/png'],
    // Without a valid extension the type remains unknown.
    ['blob', '', text, '.bin', NONE],
    ['a.', '', text, '.bin', NONE],
    ['a.größe', '', text, '.bin', NONE],
    ['a.x y', '', text, '.bin', NONE],
    [`a.${'x'.repeat(60)}`, '', text, '.bin', NONE],
    ['screenshot.undefined', '', noise, '.bin', NONE],
    // The twin: a declared type is used.
    ['blob', 'text/plain', text, '.txt', 'text/plain'],
    ['blob', 'text/css; charset=utf-8', text, '.css', 'text/css'],
    ['blob', 'no type', text, '.bin', NONE],
  ])('%s as „%s“', async (filename, type, make, extension, mime) => {
    for (const send of [stored, uploaded]) {
      const [ends, is] = await send(await make(), filename, type)
      expect([ends, String(is).replace(/;.*/, '')]).toEqual([extension, mime])
    }
  })
})

test('equal bytes under another type are answered with the new one, also to those who come again', async () => {
  const content = await noise()
  const send = (type: string) =>
    put(on.service, '/api/v3/file', on.token, [file('file', content, { filename: 'a.txt', type })])
  const typeOf = async (path: string) => (await read(on.service, path)).headers.get('content-type')
  const { path } = await send('text/html')
  expect(await typeOf(path)).toMatch(/^text\/html/)
  expect((await send('image/png')).path).toBe(path)
  expect(await typeOf(path)).toBe('image/png')
})
