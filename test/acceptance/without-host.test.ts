/** Requests without a usable `Host`, as old programs and health checks send them, to every route. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { sendRaw } from '../support/raw.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()

/** Refused on every route: HTTP/1.1 requires a Host (RFC 9112 §3.2). */
const NO_HOST = ' HTTP/1.1\r\n'

/** What follows the method and the path. */
const FORMS = {
  'HTTP/1.0 without Host': ' HTTP/1.0\r\n',
  'HTTP/1.0 with a broken Host': ' HTTP/1.0\r\nHost: a b\r\n',
  'a blank within Host': ' HTTP/1.1\r\nHost: a b\r\n',
  'an empty Host': ' HTTP/1.1\r\nHost:\r\n',
  'HTTP/1.1 without Host': NO_HOST,
  'a Host that no address can have': ' HTTP/1.1\r\nHost: [::1\r\n',
  'a Host with a path': ' HTTP/1.1\r\nHost: a/b?c\r\n',
  'a Host with a port that is none': ' HTTP/1.1\r\nHost: a:99999\r\n',
}

interface Call {
  method: string
  path: string
}
let calls: Call[] = []
let share = ''

beforeAll(async () => {
  for (const name of ['a', 'b']) await store(on.service, on.token, `shared/${name}.txt`, name)
  const made = await dash(on.service, 'freigaben', { json: { ordner: 'shared' }, session: on.session })
  share = ((await made.json()) as { schluessel: string }).schluessel
  const { paths } = (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ method: method.toUpperCase(), path: filled(path) })),
  )
  const others = [
    '/',
    '/dateien',
    '/assets/none.js',
    '/nowhere',
    '/api/nowhere',
    '/api/dash/nowhere',
    '/t/a.webp',
  ]
  calls = [...described, ...others.map(path => ({ method: 'GET', path }))]
})

const filled = (path: string) =>
  path
    .replace('{schluessel}', share)
    .replace('{pfad}', 'shared/a.txt')
    .replaceAll(/\{\w+\}/g, '1')

/** Valid credentials, so that every route gets as far as possible; with a query, the key is there instead. */
const credentials = (path: string) =>
  path.startsWith('/api/dash')
    ? `Cookie: fundus_sitzung=${on.session}\r\n`
    : path.includes('apiKey')
      ? ''
      : `Authorization: Bearer ${on.token}\r\n`

async function ask(form: string, { method, path }: Call) {
  // A share link is requested as a page.
  const accept = path.startsWith('/s/') ? 'text/html' : '*/*'
  const rest = `Accept: ${accept}\r\nConnection: close\r\nContent-Length: 0\r\n${credentials(path)}\r\n`
  const response = await sendRaw(on.service.port, `${method} ${path}${form}${rest}`, {
    head: method === 'HEAD',
  })
  return { response, text: await response.text() }
}

/** `npm test` leaves the calls without a query to the long tests. */
const QUERIES = ['?apiKey=KEY&nach=a&pfad=a.txt&streng=1', ...(isOrdinaryRun ? [] : [''])]

/** These end the session, keep the connection open, or begin something long. */
const LEFT_OUT = /\/(?:logout|ereignisse|sicherung|integritaet)$/

describe.each(Object.entries(FORMS))('%s', (_, form) => {
  test.each(QUERIES)('every route answers; query %j', async query => {
    expect(calls.length).toBeGreaterThan(60)
    const broken: string[] = []
    for (const { method, path } of calls) {
      if (LEFT_OUT.test(path)) continue
      const call = { method, path: `${path}${query.replace('KEY', on.token)}` }
      const { response, text } = await ask(form, call)
      const isSentence = method === 'HEAD' ? text === '' : /^\{"error":"[^"]+\."/.test(text)
      if (form === NO_HOST && response.status !== 400)
        broken.push(`${response.status} ${method} ${call.path}`)
      if (response.status >= 500 || (response.status >= 400 && !isSentence))
        broken.push(`${response.status} ${method} ${call.path} ${text.slice(0, 100)}`)
    }
    expect(broken).toEqual([])
  })
})

test('a key in the query and a further page of a share count without a usable Host too', async () => {
  for (const form of Object.values(FORMS)) {
    if (form === NO_HOST) continue
    const empty = await ask(form, { method: 'POST', path: `/api/image?apiKey=${on.token}` })
    expect([empty.response.status, form]).toEqual([400, form])
    const page = await ask(form, { method: 'GET', path: `/s/${share}?nach=a.txt` })
    expect([page.response.status, page.text.includes('b.txt'), page.text.includes('a.txt')]).toEqual([
      200,
      true,
      false,
    ])
  }
})

test('the twin: a usable Host of any name, also with HTTP/1.0', async () => {
  for (const form of [' HTTP/1.1\r\nHost: anything.test\r\n', ' HTTP/1.0\r\nHost: anything.test\r\n'])
    for (const path of [`/s/${share}?nach=a`, '/f/shared/b.txt', '/status'])
      expect((await ask(form, { method: 'GET', path })).response.status).toBe(200)
})
