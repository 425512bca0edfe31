/** The compatibility routes: the exact answer of each one, and calls that do not exist. */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import {
  BASE64_ROUTE,
  expectStored,
  FORM_ROUTES,
  file,
  freshPng,
  post,
  postBase64,
  put,
} from '../support/compat.ts'
import { media } from '../support/media.ts'
import { MULTIPART } from '../support/multipart.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const on = sharedService()

/** A file that each route accepts, under the route's own field name. */
const FITTING = {
  image: { make: freshPng, mime: 'image/png', extension: 'png' },
  video: { make: async () => media('clip.webm'), mime: 'video/webm', extension: 'webm' },
  audio: { make: async () => media('tone.mp3'), mime: 'audio/mpeg', extension: 'mp3' },
  file: { make: async () => media('tone.ogg'), mime: 'audio/ogg', extension: 'ogg' },
}
const fieldOf = (route: string) => route.split('/').at(-1) as keyof typeof FITTING

describe.each(FORM_ROUTES)('POST %s', route => {
  const field = fieldOf(route)
  const { make, mime, extension } = FITTING[field]

  test('200 with exactly the specified keys; the file is there, byte for byte, with its own type', async () => {
    const bytes = await make()
    const stored = await put(on.service, route, on.token, [file(field, bytes)])
    expect(stored.path).toBe(`uploads/${sha256(bytes).slice(0, 12)}.${extension}`)
    const served = await read(on.service, stored.path)
    expect(served.headers.get('content-type')).toStartWith(mime)
    expectSameBytes(await bytesOf(served), bytes)
  })

  test('the answer is never kept by a cache', async () => {
    const response = await post(on.service, route, on.token, [file(field, await make())])
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  test('no file in the form: 400, and the sentence names the field', async () => {
    const response = await post(on.service, route, on.token, [{ name: 'metadata', content: '{}' }])
    await expectError(response, 400, new RegExp(`„${field}“`))
  })

  test('an empty file: 400, nothing stored', async () => {
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await post(on.service, route, on.token, [file(field, '')]), 400)
    })
  })

  test('no form at all: 400, nothing stored', async () => {
    await storesNothing(on.service.dataDir, async () => {
      const response = await fetch(`${on.service.url}${route}`, {
        method: 'POST',
        headers: { Authorization: on.token, 'Content-Type': 'image/png' },
        body: await freshPng(),
      })
      await expectError(response, 400)
    })
  })

  test('a form that breaks off: 400, nothing stored', async () => {
    await storesNothing(on.service.dataDir, async () => {
      const whole = file(field, await make())
      const response = await fetch(`${on.service.url}${route}`, {
        method: 'POST',
        headers: { Authorization: on.token, ...MULTIPART },
        body: new Uint8Array(
          Buffer.concat([
            Buffer.from(`--fundus-test-boundary\r\nContent-Disposition: form-data; name="${field}"; `),
            Buffer.from('filename="a"\r\n\r\n'),
            whole.content as Uint8Array,
          ]),
        ),
      })
      await expectError(response, 400)
    })
  })

  test.each(['GET', 'PUT', 'PATCH'])('%s is not a method of it: 405', async method => {
    const response = await fetch(`${on.service.url}${route}`, {
      method,
      headers: { Authorization: on.token },
    })
    expect(response.headers.get('allow')).toContain('POST')
    await expectError(response, 405)
  })
})

describe('addresses', () => {
  test('are built from PUBLIC_URL at answer time, also those of files that were there before', async () => {
    const bytes = await freshPng()
    const before = await put(on.service, '/api/image', on.token, [file('image', bytes)])
    await on.service.restart({ PUBLIC_URL: 'https://cdn.example.org' })
    const older = await put(on.service, '/api/image', on.token, [file('image', bytes)])
    const newer = await put(on.service, '/api/v3/file', on.token, [file('file', bytes)])
    await on.service.restart({ PUBLIC_URL: '' })
    expect(before.url).not.toStartWith('https://cdn.example.org/')
    expect(older.url).toBe(`https://cdn.example.org/f/${before.path}`)
    expect(newer.url).toBe(older.url)
  })
})

describe(`POST ${BASE64_ROUTE}`, () => {
  test('200 with exactly the keys of /api/v3/file', async () => {
    const bytes = await freshPng()
    const response = await postBase64(on.service, on.token, { base64: Buffer.from(bytes).toString('base64') })
    const stored = await expectStored(response, BASE64_ROUTE)
    expect(stored.path).toBe(`uploads/${sha256(bytes).slice(0, 12)}.png`)
    expectSameBytes(await bytesOf(await read(on.service, stored.path)), bytes)
  })
})

describe('a log service is not part of this service: 404, and the sentence says so', () => {
  test.each(['/api/logs', '/api/v2/logs', '/api/v3/logs', '/api/v3/logs/batch', '/api/logs?apiKey=x'])(
    '%s',
    async path => {
      for (const method of ['POST', 'GET']) {
        const response = await fetch(`${on.service.url}${path}`, {
          method,
          headers: { Authorization: on.token },
        })
        expect(response.headers.get('x-fehler-code')).toBe('logs-unknown')
        await expectError(response, 404, /Protokolle.*nur Dateien/)
      }
    },
  )
})

describe('presigned addresses do not exist: 404, and the sentence says so', () => {
  const SPELLINGS = [
    '/api/presigned-url',
    '/api/presigned-url?fileType=image',
    '/api/image/presigned-url',
    '/api/video/presigned-url',
    '/api/audio/presigned-url',
    '/api/v2/presigned-url?fileType=video',
    '/api/v2/image/presigned-url',
    '/api/v3/presigned-url',
    '/api/v3/file/presigned-url',
    '/api/v3/file/presigned-url/abc123',
  ]
  test.each(SPELLINGS)('%s', async spelling => {
    const url = `${on.service.url}${spelling}`
    await expectError(await fetch(url, { headers: { Authorization: on.token } }), 404, /unterschrieben/i)
    await expectError(await fetch(url), 404, /unterschrieben/i)
    const form = { method: 'POST', headers: { Authorization: on.token, ...MULTIPART }, body: 'x' }
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await fetch(url, form), 404, /unterschrieben/i)
    })
  })

  test.each(['/api/v2/file', '/api/v4/file', '/api/v3/image', '/api/logbook', '/api/v3/file/base64/x'])(
    'the twin: %s is just unknown, and nothing is said of signing',
    async path => {
      const response = await fetch(`${on.service.url}${path}`, {
        method: 'POST',
        headers: { Authorization: on.token },
      })
      expect(await expectError(response, 404)).not.toMatch(/unterschrieben|Protokolle/i)
    },
  )
})
