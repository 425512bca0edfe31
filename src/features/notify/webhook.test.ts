/** Sends one message over a real connection to receivers that behave in different ways. */
import { afterAll, describe, expect, test } from 'bun:test'
import { WEBHOOK_PROBLEMS } from '../../contract/service/webhook.ts'
import { createWebhook, sendAnywhere } from './webhook.ts'

const received: { method: string; path: string; type: string | null; body: string }[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const type = request.headers.get('content-type')
    received.push({ method: request.method, path: pathname, type, body: await request.text() })
    switch (pathname) {
      case '/accepts':
        return new Response(null, { status: 204 })
      case '/moved':
        return new Response(null, { status: 307, headers: { Location: '/accepts' } })
      case '/echoes':
        return new Response(`Cannot POST ${pathname}\n<b>${request.url}</b>`, { status: 404 })
      case '/talks':
        return new Response('word '.repeat(100_000))
      case '/limits':
        return Response.json({ retry_after: 12.5 }, { status: 429, headers: { 'Retry-After': '12' } })
      default:
        // Begins an answer and never ends it.
        return new Response(new ReadableStream({ start: stream => stream.enqueue(Buffer.from('x')) }))
    }
  },
})
const at = (path: string) => `http://127.0.0.1:${server.port}${path}`
const webhook = createWebhook({ send: sendAnywhere, now: Date.now, timeout: 5000 })
const hasty = createWebhook({ send: sendAnywhere, now: Date.now, timeout: 100 })
afterAll(() => server.stop(true))

test('is a POST of JSON; an address in the own network is fine', async () => {
  expect(await webhook.send(at('/accepts'), 'Hallo')).toEqual({
    ok: true,
    status: 204,
    answer: '',
    isRetryable: false,
    pause: 0,
  })
  expect(received.at(-1)).toEqual({
    method: 'POST',
    path: '/accepts',
    type: 'application/json',
    body: '{"content":"Hallo","allowed_mentions":{"parse":[]}}',
  })
})

describe('what goes wrong is told, and never thrown', () => {
  test('a redirect is not followed', async () => {
    const before = received.length
    const { ok, status, isRetryable, answer } = await webhook.send(at('/moved'), 'x')
    expect({ ok, status, isRetryable, answer }).toEqual({
      ok: false,
      status: 307,
      isRetryable: false,
      answer: WEBHOOK_PROBLEMS.redirected,
    })
    expect(received.slice(before).map(each => each.path)).toEqual(['/moved'])
  })

  test('nobody listens', async () => {
    const gone = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const address = `http://127.0.0.1:${gone.port}/secret`
    await gone.stop(true)
    expect(await webhook.send(address, 'x')).toEqual({
      ok: false,
      status: null,
      answer: WEBHOOK_PROBLEMS.unreachable,
      isRetryable: true,
      pause: 0,
    })
  })

  test('an answer that never ends, or never begins, is given up in time', async () => {
    expect(await hasty.send(at('/hangs'), 'x')).toMatchObject({
      ok: false,
      status: null,
      answer: WEBHOOK_PROBLEMS.timeout,
      isRetryable: true,
    })
  })

  test('whoever asked may give up too', async () => {
    const signal = AbortSignal.timeout(50)
    expect(await webhook.send(at('/hangs'), 'x', signal)).toMatchObject({ ok: false, status: null })
  })

  test('a demand to wait is handed on', async () => {
    expect(await webhook.send(at('/limits'), 'x')).toMatchObject({
      status: 429,
      isRetryable: true,
      pause: 12_500,
    })
  })
})

describe('of the answer', () => {
  test('only the beginning is read and shown', async () => {
    const { ok, answer } = await webhook.send(at('/talks'), 'x')
    expect(ok).toBe(true)
    expect(answer).toHaveLength(300)
  })

  test('the address is cut out', async () => {
    const { status, answer } = await webhook.send(at('/echoes'), 'x')
    expect(status).toBe(404)
    expect(answer).toBe('Cannot POST … <b>…</b>')
  })
})
