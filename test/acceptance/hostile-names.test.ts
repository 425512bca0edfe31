/**
 * Names with a meaning in JavaScript (`__proto__`, `constructor`), in every part of a request that has names.
 * They cause neither an error of the service nor a change to what its objects inherit.
 */
import { describe, expect, test } from 'bun:test'
import { expectError, store, upload } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { serviceHost } from '../support/host-client.ts'
import { field, filePart, send } from '../support/ingest.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { MULTIPART, multipart, type Part } from '../support/multipart.ts'
import { head, sendRaw } from '../support/raw.ts'
import { signedInService } from '../support/shared-service.ts'
import { zip } from '../support/zip.ts'

const NAMES = [...new Set(['__proto__', ...Object.getOwnPropertyNames(Object.prototype), 'prototype'])]
const DEEP = [
  '__proto__[params]',
  '__proto__.params',
  'constructor[prototype][params]',
  'constructor.prototype.params',
]

/** Written as text, because a `__proto__` of an object is not sent. */
const JSON_NAMES = `{${NAMES.map(name => `"${name}": {"params": [1], "prototype": {"params": [1]}}`).join(', ')}}`

/** Left out: the end of the session, an endless stream, and background work. */
const LEFT_OUT = /\/(?:logout|ereignisse|sicherung)$|\/maintenance\//

// A process that holds several services leaves the prototypes as they are; a process of its own freezes them.
describe.each([
  ['beside others', false],
  ['in a process of its own', true],
])('%s', (_, ownProcess) => {
  const on = signedInService({ ownProcess })
  const ofAll = () => ({
    Authorization: `Bearer ${on.token}`,
    Cookie: `${NAMES.map(name => `${name}=1`).join('; ')}; fundus_sitzung=${on.session}`,
  })
  const refuses = (answer: Response) => expect([answer.url, answer.status < 500]).toEqual([answer.url, true])

  test.each([
    '/health',
    '/f/a.png',
    '/t/a.png.webp',
    '/s/a',
    '/',
    '/api/upload',
    '/api/dash/ich',
    '/nowhere',
  ])('as the method of %s: 501 with a sentence', async path => {
    for (const name of [...NAMES, 'BREW', 'get', 'TRACE']) {
      const answer = await sendRaw(on.service.port, head(`${name} ${path}`))
      expect([name, answer.headers.get('X-Fehler-Code')]).toEqual([name, 'method-not-implemented'])
      await expectError(answer, 501, /^Die Methode dieser Anfrage ist unbekannt/)
    }
  })

  test.each(ownProcess && isOrdinaryRun ? ['__proto__'] : ['__proto__', 'constructor', 'toString'])(
    'in path, query, headers, cookies and JSON of every route: %s',
    async name => {
      const document = (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as {
        paths: Record<string, Record<string, unknown>>
      }
      const headers = { ...ofAll(), 'Content-Type': 'application/json', [name]: name }
      const query = [name, ...DEEP].map(each => `${encodeURIComponent(each)}=1`).join('&')
      for (const [path, methods] of Object.entries(document.paths)) {
        if (LEFT_OUT.test(path)) continue
        for (const method of Object.keys(methods)) {
          const url = `${on.service.url}${path.replaceAll(/\{\w+\}/g, name)}`
          const body = method === 'get' ? {} : { body: JSON_NAMES }
          for (const target of [url, `${url}?${query}`])
            refuses(await fetch(target, { method: method.toUpperCase(), headers, ...body }))
        }
      }
    },
  )

  test('as settings that are saved and imported', async () => {
    const headers = { ...ofAll(), 'Content-Type': 'application/json' }
    const put = (method: string, route: string, name: string) =>
      fetch(`${on.service.url}/api/dash/${route}`, {
        method,
        headers,
        body: `{"${name}": {"DIENST": "x"}, "DIENST": "Fundus"}`,
      })
    for (const name of NAMES) {
      await expectError(await put('PUT', 'einstellungen', name), 400)
      const imported = await put('POST', 'einstellungen/import', name)
      // zod omits this name from every record.
      const unbekannt = name === '__proto__' ? [] : [name]
      expect(await imported.json()).toEqual({ geaendert: [], unbekannt })
    }
  })

  test('as fields, file names and part headers of forms, and as entries of archives', async () => {
    const parts: Part[] = [...NAMES, ...DEEP].flatMap(name => [
      field(name, name),
      { name, filename: name, content: name, type: `${name}/${name}\r\n${name}: ${name}` },
    ])
    const { Authorization } = ofAll()
    for (const [route, own] of [
      ['/api/upload', 'file'],
      ['/api/v3/file', 'file'],
      ['/api/image', 'image'],
    ]) {
      const body = multipart([...parts, { name: own!, filename: 'a.txt', content: 'x' }])
      refuses(
        await fetch(`${on.service.url}${route}`, {
          method: 'POST',
          headers: { ...MULTIPART, Authorization },
          body,
        }),
      )
    }
    const archive = zip(NAMES.map(name => ({ name: `${name}/${name}`, content: name, comment: name })))
    const files = NAMES.map(name => filePart(`${name}/${name}`, name))
    await expectError(await send(on.service, on.session, [...parts, ...files]), 400)
    expect((await send(on.service, on.session, [...files, filePart('a.zip', archive)])).status).toBe(200)
  })

  test('as paths, media types and what a token is called', async () => {
    for (const name of NAMES.filter(each => !each.startsWith('_'))) {
      const path = `${name}/${name}/${name}.txt`
      await store(on.service, on.token, path, name)
      expect(await (await fetch(`${on.service.url}/f/${path}`)).text()).toBe(name)
      refuses(await upload(on.service, on.token, 'x', { 'X-Path': name, 'X-Mime': `${name}/${name}` }))
    }
    for (const name of NAMES) {
      refuses(await upload(on.service, on.token, 'x', { 'X-Path': `${name}/a.txt`, 'X-Encoding': name }))
      refuses(await dash(on.service, 'tokens', { json: { name }, session: on.session }))
    }
  })

  test('afterwards everything works, and no object has inherited anything', async () => {
    expect(await (await serviceHost()).inheritedNames()).toEqual(Object.getOwnPropertyNames(Object.prototype))
    const answers = {
      token: await dash(on.service, 'tokens', { json: { name: 'danach' }, session: on.session }),
      settings: await dash(on.service, 'einstellungen', {
        method: 'PUT',
        json: { DIENST: 'Danach' },
        session: on.session,
      }),
      trash: await dash(on.service, 'papierkorb/leeren', { json: {}, session: on.session }),
      docs: await fetch(`${on.service.url}/api/docs`),
      document: await fetch(`${on.service.url}/api/openapi.json`),
      upload: await upload(on.service, on.token, 'x', { 'X-Path': 'danach.txt' }),
    }
    for (const [what, { status }] of Object.entries(answers)) expect([what, status]).toEqual([what, 200])
    const troubles = on.service.logs().filter(({ level }) => level === 'error')
    expect(troubles).toEqual([])
  })
})
