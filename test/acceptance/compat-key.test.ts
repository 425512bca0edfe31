/** How the key may be sent to the compatibility routes, how it may not, and that it is never logged. */
import { describe, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { BASE64_ROUTE, expectStored, FORM_ROUTES, file, freshPng } from '../support/compat.ts'
import { media } from '../support/media.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { head, sendRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

// The most verbose log level: a key must not appear there either.
const on = sharedService({ env: { LOG_LEVEL: 'debug' } })

interface Call {
  method: string
  path: string
  body?: () => Promise<Uint8Array>
  type?: string
}
const form = (field: string, make: () => Promise<Uint8Array>) => async () =>
  multipart([file(field, await make())])
const CALLS: Call[] = [
  ...FORM_ROUTES.map(path => {
    const field = path.split('/').at(-1)!
    const kinds: Record<string, () => Promise<Uint8Array>> = {
      video: async () => media('clip.mp4'),
      audio: async () => media('tone.mp3'),
    }
    return {
      method: 'POST',
      path,
      body: form(field, kinds[field] ?? freshPng),
      type: MULTIPART['Content-Type'],
    }
  }),
  {
    method: 'POST',
    path: BASE64_ROUTE,
    body: async () =>
      Buffer.from(JSON.stringify({ base64: Buffer.from(await freshPng()).toString('base64') })),
    type: 'application/json',
  },
]

/** Over a raw connection, because `fetch` normalises header values. */
async function call({ method, path, body, type }: Call, authorization: string | null, query = '') {
  const content = (await body?.()) ?? new Uint8Array()
  const given = { ...(type && { 'Content-Type': type }), 'Content-Length': content.length }
  const headers = { ...given, ...(authorization !== null && { Authorization: authorization }) }
  const request = Buffer.concat([Buffer.from(head(`${method} ${path}${query}`, headers)), content])
  return sendRaw(on.service.port, new Uint8Array(request))
}

describe.each(CALLS)('$method $path', route => {
  test.each<[string, (key: string) => string]>([
    ['bare', key => key],
    ['with Bearer', key => `Bearer ${key}`],
    ['with bearer in lower case', key => `bearer ${key}`],
    ['with blanks around it', key => `  ${key}\t `],
    ['with Bearer and blanks', key => `  Bearer   ${key}  `],
  ])('takes the key %s', async (_, written) => {
    await expectStored(await call(route, written(on.token)), route.path)
  })

  test.each<[string, (key: string) => string]>([
    ['as ?apiKey=', key => `?apiKey=${key}`],
    ['as ?apiKey= with blanks', key => `?apiKey=%20${key}+`],
    ['as ?apiKey= among others', key => `?a=1&apiKey=${key}&b=2`],
  ])('takes the key %s', async (_, query) => {
    await expectStored(await call(route, null, query(on.token)), route.path)
  })

  test.each<[string, (key: string) => [authorization: string | null, query: string]]>([
    ['no key', () => [null, '']],
    ['an empty one', () => ['', '']],
    ['Bearer alone', () => ['Bearer', '']],
    ['an empty apiKey', () => [null, '?apiKey=']],
    ['an unknown one', () => [`media_${'a'.repeat(43)}`, '']],
    ['an unknown apiKey', () => [null, `?apiKey=media_${'a'.repeat(43)}`]],
    ['a shortened one', key => [key.slice(0, -1), '']],
    ['one without its prefix', key => [key.slice('media_'.length), '']],
    ['one in upper case', key => [key.toUpperCase(), '']],
    ['another scheme', key => [`Basic ${key}`, '']],
    ['two keys at once', key => [`${key} ${key}`, '']],
    ['another parameter', key => [null, `?token=${key}`]],
  ])('the twin: %s is 401, nothing stored', async (_, given) => {
    const [authorization, query] = given(on.token)
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await call(route, authorization, query), 401, /Token/)
    })
  })

  test('401 comes before the body is wanted', async () => {
    const announced = {
      Authorization: 'media_unknown',
      'Content-Type': route.type!,
      'Content-Length': 1_000_000,
    }
    await expectError(await sendRaw(on.service.port, head(`POST ${route.path}`, announced)), 401)
  })
})
