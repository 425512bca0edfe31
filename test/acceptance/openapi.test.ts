/** `/api/openapi.json` and `/api/docs`; access.test.ts calls every route of the document. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: ADMIN_ENV })

type Schema = Record<string, unknown>
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Document {
  openapi: string
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, Schema> }
}

let document: Document
let operations: { method: string; path: string; operation: Operation }[] = []
beforeAll(async () => {
  const response = await fetch(`${on.service.url}/api/openapi.json`)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  document = (await response.json()) as Document
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
})
const find = (method: string, path: string) => {
  const operation = document.paths[path]?.[method]
  if (!operation) throw new Error(`${method} ${path} is not in the document`)
  return operation
}

describe('the document', () => {
  test('is OpenAPI 3.1, and names the address of the service', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: expect.stringMatching(/^http:\/\/localhost/) }])
  })

  test('every mounted route describes itself', () => {
    const silent = operations.filter(({ operation }) => operation.summary === '')
    expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('every route says what it answers, and that an error is a sentence', () => {
    const named = ({ method, path }: (typeof operations)[number]) => `${method} ${path}`
    const successes = ({ responses }: Operation) =>
      Object.entries(responses).filter(([status]) => Number(status) < 400)
    expect(operations.filter(({ operation }) => successes(operation).length === 0).map(named)).toEqual([])
    // Only the protocol of resumable uploads answers in headers alone.
    const empty = operations.filter(({ operation }) =>
      successes(operation).some(([status, { content }]) => status === '200' && !content),
    )
    expect(empty.map(named).filter(name => !/ \/api\/.*tus\/\{id\}$/.test(name))).toEqual([])
    for (const { operation } of operations) expect(operation.responses).toHaveProperty('500')
  })

  test('operation ids are unique, tags are declared, every part of a path is a parameter', () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const { path, operation } of operations) {
      expect(tags.has(operation.tags[0] ?? '')).toBe(true)
      const inPath = operation.parameters.filter(each => each.in === 'path').map(each => each.name)
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))
      expect(path).not.toMatch(/[:*]/)
    }
  })

  test('every reference leads somewhere', () => {
    const text = JSON.stringify(document)
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
      expect([pointer, typeof target]).toEqual([pointer, 'object'])
    }
  })

  test('holds every scope with its security', () => {
    expect(find('get', '/health').security).toEqual([])
    expect(find('get', '/f/{pfad}').security).toEqual([])
    expect(find('post', '/api/upload').security).toEqual([{ token: [] }])
    expect(find('post', '/api/v3/file').security).toContainEqual({ keyInQuery: [] })
    expect(find('get', '/api/dash/einstellungen').security).toEqual([{ session: [] }])
    expect(find('post', '/api/dash/login').security).toEqual([])
    const names = new Set(operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys)))
    for (const name of names) expect(document.components.securitySchemes).toHaveProperty(name)
  })

  test('comes from the schemas that check: body, query, headers', () => {
    const body = find('post', '/api/dash/tokens').requestBody?.content['application/json']?.schema
    expect(body).toMatchObject({ required: ['name'], properties: { name: { maxLength: 100 } } })
    const query = find('get', '/api/dash/verlauf').parameters
    expect(query.map(({ name }) => name)).toEqual([
      ...['seite', 'anzahl', 'was', 'pfad', 'wer', 'von', 'bis', 'aktion', 'gruppen'],
    ])
    expect(query.every(each => each.in === 'query' && !each.required)).toBe(true)
    expect(find('post', '/api/upload').parameters.map(each => each.name)).toContain('X-Path')
    expect(Object.keys(find('post', '/api/upload').requestBody?.content ?? {})).toHaveLength(3)
  })

  test('follows PUBLIC_URL', async () => {
    const session = await signIn(on.service)
    const save = (json: unknown) => dash(on.service, 'einstellungen', { method: 'PUT', json, session })
    await save({ PUBLIC_URL: 'https://media.example.org' })
    const changed = (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as Document
    await save({ PUBLIC_URL: null })
    expect(changed.servers).toEqual([{ url: 'https://media.example.org' }])
  })
})

describe('the page', () => {
  test('shows every route, grouped, to try out, and loads nothing from elsewhere', async () => {
    const response = await fetch(`${on.service.url}/api/docs`)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await response.text()
    expect(html).toContain('<html lang="de">')
    for (const { path, operation } of operations) {
      expect(html).toContain(`<code>${path}</code>`)
      expect(html).toContain(operation.summary.replaceAll('"', '&quot;'))
    }
    for (const { name } of document.tags) expect(html).toContain(`>${name}</h2>`)
    expect(html.match(/<form /g)).toHaveLength(operations.length)
    expect(html.replace(/<script>[\s\S]*?<\/script>/, '')).not.toMatch(
      /<script|<link|<img|<iframe| src=| on\w+=|https?:\/\//i,
    )
  })

  test('in English, by choice or by the language of the browser: every text is translated', async () => {
    const ask = async (query: string, language?: string) => {
      const headers = language === undefined ? {} : { 'Accept-Language': language }
      return (await fetch(`${on.service.url}/api/docs${query}`, { headers })).text()
    }
    const english = await ask('?sprache=en')
    expect(english).toContain('<html lang="en">')
    expect(await ask('', 'en-GB,en;q=0.9')).toBe(english)
    expect(await ask('?sprache=de', 'en-GB')).toContain('<html lang="de">')
    const visible = english
      .replace(/<script>[\s\S]*?<\/script>/, '')
      .replace(/<a href="\?sprache=de"[^\n]*/, '')
    const summaries = operations.map(({ operation }) => operation.summary)
    const german = (summary: string) => visible.includes(`<span>${summary.replaceAll('"', '&quot;')}</span>`)
    expect(summaries.filter(german)).toEqual([])
    // German words reveal a text that was not translated.
    expect(visible.match(/[^\n]*\b(?:und|oder|nicht|eine[rsn]?|der|ohne|wird)\b[^\n]*/g) ?? []).toEqual([])
    expect((await fetch(`${on.service.url}/api/docs?sprache=fr`)).status).toBe(400)
  })

  test('has a policy under which only its own style and script count, by hash', async () => {
    const response = await fetch(`${on.service.url}/api/docs`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const html = await response.text()
    for (const tag of ['style', 'script']) {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''
      expect(policy).toContain(
        `${tag}-src 'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`,
      )
    }
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('HEAD and a wrong method', async () => {
    expect((await fetch(`${on.service.url}/api/docs`, { method: 'HEAD' })).status).toBe(200)
    await expectError(await fetch(`${on.service.url}/api/openapi.json`, { method: 'POST' }), 405)
  })
})

test('llms.txt: every route that it names exists, and every address is that of the service', async () => {
  const response = await fetch(`${on.service.url}/llms.txt`)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  expect(text).toStartWith('# Fundus\n\n> ')
  const named = [...text.matchAll(/(?:\b(POST|GET|PUT|DELETE) |`|\))(\/api\/[\w./]+\w)/g)].map(
    ([, method, path]) => [...[method?.toLowerCase(), path!]],
  )
  expect(named.length).toBeGreaterThan(8)
  const paths = Object.keys(document.paths)
  const unknown = named.filter(
    ([, path]) => !paths.some(each => each === path || each.startsWith(`${path}/{`)),
  )
  expect(unknown.filter(([, path]) => path !== '/api/dash')).toEqual([])
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => new URL(link!))
  expect(links.map(({ pathname }) => pathname)).toEqual(['/api/openapi.json', '/api/docs', '/status'])
  for (const { pathname, search } of links)
    expect((await fetch(`${on.service.url}${pathname}${search}`)).status).toBe(200)
})
