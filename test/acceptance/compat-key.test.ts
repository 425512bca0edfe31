/** How the key may come on the compatibility routes, where it may not, and that it is never written down. */
import { describe, expect, test } from 'bun:test'
import { expectError, type HeaderMap } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import {
  BASE64_ROUTE,
  expectStored,
  FORM_ROUTES,
  file,
  freshPng,
  OLDER,
  post,
  put,
} from '../support/compat.ts'
import { databaseTexts } from '../support/data-folder.ts'
import { media } from '../support/media.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { head, sendRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

// As talkative as it gets: a key must not appear there either.
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

/** By hand, since `fetch` tidies up header values. */
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

describe('a bare key and ?apiKey= count on compatibility routes only', () => {
  test.each([
    ['POST', '/api/upload', 200],
    ['GET', '/api/exists?pfad=a.png', 200],
    ['DELETE', '/api/media/a.png', 200],
  ])('%s %s refuses both and takes Bearer', async (method, path, status) => {
    const ask = (headers: HeaderMap, query = '') =>
      fetch(`${on.service.url}${path}${query}`, {
        method,
        headers: { 'X-Path': 'a.png', ...headers },
        ...(method === 'POST' && { body: 'x' }),
      })
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await ask({ Authorization: on.token }), 401, /Token/)
      await expectError(await ask({}, `${path.includes('?') ? '&' : '?'}apiKey=${on.token}`), 401, /Token/)
    })
    expect((await ask({ Authorization: `Bearer ${on.token}` })).status).toBe(status)
  })
})

describe('deleting takes the key in the same ways', () => {
  test.each<[string, (key: string) => [HeaderMap, string]]>([
    ['bare', key => [{ Authorization: key }, '']],
    ['with Bearer', key => [{ Authorization: `Bearer ${key}` }, '']],
    ['as ?apiKey=', key => [{}, `?apiKey=${key}`]],
  ])('%s', async (_, given) => {
    const { id } = await put(on.service, '/api/image', on.token, [file('image', await freshPng())])
    const [headers, query] = given(on.token)
    const url = `${on.service.url}/api/image/delete/${id}`
    await expectError(await fetch(url, { method: 'DELETE' }), 401, /Token/)
    const response = await fetch(url + query, { method: 'DELETE', headers })
    expect(await response.json()).toEqual({ status: 'ok' })
  })
})

test('no key is ever in the log, in an answer or in the database, whatever became of the request', async () => {
  const key = await on.service.createToken(
    '--name',
    'seen-in-database',
    '--kinds',
    'bilder',
    '--max-file',
    '5000',
  )
  const wrong = `media_${'wrong'.repeat(8)}_`
  const answers: string[] = []
  const keep = async (response: Promise<Response>) => {
    const { status, url, headers } = await response
    answers.push(await (await response).text(), JSON.stringify([...headers]))
    return { status, url }
  }
  const statuses = new Set<number>()
  for (const secret of [key, wrong]) {
    for (const route of OLDER) {
      for (const parts of [[file('image', await freshPng())], [file('video', media('clip.mp4'))], []]) {
        statuses.add((await keep(post(on.service, `${route}?apiKey=${secret}`, null, parts))).status)
        statuses.add((await keep(post(on.service, route, secret, parts))).status)
      }
    }
    const large = [file('file', new Uint8Array(6000))]
    statuses.add((await keep(post(on.service, `/api/v3/file?apiKey=${secret}`, null, large))).status)
    for (const path of ['/api/v3/file/presigned-url', '/api/nowhere', '/api/image', '/f/a.png', '/health']) {
      statuses.add((await keep(fetch(`${on.service.url}${path}?apiKey=${secret}`))).status)
    }
    const remove = fetch(`${on.service.url}/api/v3/file/${secret}?apiKey=${secret}`, { method: 'DELETE' })
    statuses.add((await keep(remove)).status)
  }
  // Otherwise the silence would prove nothing.
  expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 405, 413, 415])
  await on.service.restart()
  const written = [on.service.output(), ...answers, ...(await databaseTexts(on.service.dataDir))]
  expect(written.some(text => text.includes('seen-in-database'))).toBe(true)
  for (const secret of [key, key.slice('media_'.length), wrong]) {
    for (const form of [secret, sha256(secret)]) {
      const places = form === sha256(key) ? written.slice(0, -1) : written
      for (const text of places) expect(text).not.toContain(form)
    }
  }
})
