/**
 * The proxy files of deploy/ with the real programs: what Fundus promises also holds for clients of these
 * proxies. nginx has a cache configured around the file, as on a machine with other sites; the file must
 * exclude Fundus from it.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { request } from 'node:http'
import { expectError, type HeaderMap } from '../support/api.ts'
import { ADMIN, ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { findProxy, PROXIES, type ProxyName, startProxy } from '../support/proxies.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool } from '../support/tools.ts'

const MEGABYTE = 1024 * 1024
const on = sharedService({ env: { MAX_UPLOAD_MB: '70', TRUST_PROXY: '127.0.0.1', ...ADMIN_ENV } })

describe.each(Object.keys(PROXIES) as ProxyName[])('%s', name => {
  needsTool(PROXIES[name].package, () => findProxy(name))

  let started: ReturnType<typeof startProxy> | undefined
  const proxyPort = async () => {
    started ??= startProxy(name, on.service.port)
    return (await started).port
  }
  afterAll(async () => {
    await (await started?.catch(() => undefined))?.[Symbol.asyncDispose]()
  })

  const ask = async (route: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${await proxyPort()}${route}`, init)
  const store = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: HeaderMap = {}) =>
    ask('/api/upload', {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${on.token}`, 'X-Path': `${name}/${path}`, ...headers },
    })
  /** The status of a login by a client at this address, which the proxy does not trust. */
  const loginFrom = async (localAddress: string, passwort: string, claimed = ''): Promise<number> => {
    const headers = { 'Content-Type': 'application/json', ...(claimed && { 'X-Forwarded-For': claimed }) }
    const port = await proxyPort()
    return await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, localAddress, method: 'POST', path: '/api/dash/login', headers })
        .on('response', answer => resolve(answer.resume().statusCode ?? 0))
        .on('error', reject)
        .end(JSON.stringify({ ...ADMIN, passwort }))
    })
  }

  test('an overwritten file is new at once', async () => {
    for (const text of ['first', 'second', 'third']) {
      expect((await store('fresh.txt', text)).status).toBe(200)
      expect(await (await ask(`/f/${name}/fresh.txt`)).text()).toBe(text)
    }
    const known = await ask(`/f/${name}/fresh.txt`)
    const again = await ask(`/f/${name}/fresh.txt`, {
      headers: { 'If-None-Match': known.headers.get('ETag')! },
    })
    expect(again.status).toBe(304)
  })

  test('neither a 401 nor a 404 is remembered for the next one who asks', async () => {
    expect((await ask(`/api/exists?pfad=${name}/later.txt`)).status).toBe(401)
    const authorized = await ask(`/api/exists?pfad=${name}/later.txt`, {
      headers: { Authorization: `Bearer ${on.token}` },
    })
    expect(authorized.status).toBe(200)
    expect((await ask(`/api/exists?pfad=${name}/later.txt`)).status).toBe(401)
    expect((await ask(`/f/${name}/later.txt`)).status).toBe(404)
    await store('later.txt', 'here')
    expect((await ask(`/f/${name}/later.txt`)).status).toBe(200)
  })

  test('64 MB go up and come down whole, and in ranges', async () => {
    const bytes = new Uint8Array(64 * MEGABYTE)
    for (let at = 0; at < bytes.length; at += 4096) bytes[at] = at >> 12
    expect((await store('large.bin', bytes)).status).toBe(200)
    const whole = new Uint8Array(await (await ask(`/f/${name}/large.bin`)).arrayBuffer())
    expect(Bun.hash(whole)).toBe(Bun.hash(bytes))
    const part = await ask(`/f/${name}/large.bin`, { headers: { Range: 'bytes=4096-8191' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('Content-Range')).toBe(`bytes 4096-8191/${bytes.length}`)
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(4096, 8192))
    const beyond = await ask(`/f/${name}/large.bin`, { headers: { Range: `bytes=${bytes.length}-` } })
    expect(beyond.status).toBe(416)
  })

  test('an early refusal is readable for a program that first sends everything', async () => {
    const body = Buffer.alloc(6 * MEGABYTE)
    for (let round = 0; round < 20; round++) {
      using connection = await openRaw(await proxyPort())
      await connection.write(
        head('POST /api/upload', { Authorization: 'Bearer media_wrong', 'Content-Length': body.length }),
      )
      await connection.write(body)
      await expectError(await connection.answer({ deadlineMs: 30_000 }), 401)
    }
  })

  test('a file above MAX_UPLOAD_MB gets the sentence of Fundus, not a page of the proxy', async () => {
    await expectError(await store('too-large.bin', new Uint8Array(71 * MEGABYTE)), 413)
    // nginx has no lower limit of its own either; the other proxies have none, but forward a request late.
    if (name !== 'nginx') return
    using connection = await openRaw(await proxyPort())
    const headers = { Authorization: `Bearer ${on.token}`, 'X-Path': `${name}/huge.bin` }
    await connection.write(
      head('POST /api/upload', { Host: '127.0.0.1', 'Content-Length': `${400 * MEGABYTE}`, ...headers }),
    )
    await expectError(await connection.answer({ deadlineMs: 30_000 }), 413)
  })

  test('an event of the dashboard arrives while the connection stays open', async () => {
    const session = await signIn(on.service)
    const response = await ask('/api/dash/ereignisse', { headers: { Cookie: `fundus_sitzung=${session}` } })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (word: string) => {
      while (!text.includes(word))
        text += (await reader.read()).value ?? expect.unreachable(`closed: ${text}`)
    }
    await until('event: bereit')
    await store('event.txt', 'news')
    await until('event.txt')
    await reader.cancel()
  })

  test('the lock against guessing meets the guesser alone, whatever the guesser claims to be', async () => {
    const guesser = 1 + Object.keys(PROXIES).indexOf(name)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push(await loginFrom(`127.0.1.${guesser}`, 'wrong password', `203.0.113.${attempt}`))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect(await loginFrom('127.0.2.1', ADMIN.passwort)).toBe(200)
  })
})
