import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextTurn } from '../../../test/support/wait.ts'
import { route } from '../routes.ts'
import { echo, echoPath, getRequest, postRequest, readBodies, useServers } from './testing.ts'

const { serve, connectTo } = useServers()

describe('a request', () => {
  test('has a target in UTF-8 escaped as it is', async () => {
    const client = connectTo(serve(({ url }) => new Response(url))).send(getRequest('/\u00fc?\u00fc'))
    expect(await readBodies(client, 1)).toEqual(['/%C3%BC?%C3%BC'])
  })

  test.each(['http://example.org', 'http://example.org?a'])(
    'may have an absolute target without a path: %s',
    async target => {
      expect((await connectTo(serve(echoPath)).send(getRequest(target)).answer()).status).toBe(200)
    },
  )

  test('is answered alike whether its head came in one piece or two', async () => {
    const server = serve(echoPath)
    const once = await connectTo(server).send('get / HTTP/1.1\r\nHost: x\r\n\r\n').answer()
    const twice = connectTo(server).send('get / HTTP/1.1\r\n')
    expect(await readBodies(connectTo(server).send(getRequest('/later')), 1)).toEqual(['/later'])
    expect((await twice.send('Host: x\r\n\r\n').answer()).status).toBe(once.status)
  })
})

describe('what is no request', () => {
  test.each([
    ['the beginning of TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['zeros', Buffer.alloc(100), 400],
    ['a line without sense', Buffer.from('HELO example.org\r\n\r\n'), 400],
    ['a head that the standard does not know', Buffer.from('GET / HTTP/1.1\r\nHost : x\r\n\r\n'), 400],
    ['a head with bare line feeds', Buffer.from('GET / HTTP/1.1\nHost: x\n\n'), 400],
    ['a head that ends with bare line feeds', Buffer.from('GET / HTTP/1.1\r\nHost: x\n\n'), 400],
    ['the beginning of HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 505],
    ['a head without end', Buffer.from(`GET /${'a'.repeat(17_000)}`), 431],
    ['a head that is too long', Buffer.from(getRequest('/', `X: ${'a'.repeat(17_000)}`)), 431],
  ])('is refused and harms nobody: %s', async (_, bytes, status) => {
    const server = serve(echoPath)
    const other = connectTo(server).send('GET /a HTTP/1.1\r\n')
    const client = connectTo(server).send(bytes)
    const got = await client.answer()
    expect([got.status, got.headers.get('Connection')]).toEqual([status, 'close'])
    expect(got.body.toString()).toBe(`error ${status}`)
    expect(await client.waitForEnd()).toBe('ended')
    expect([client.text, server.pendingRequests]).toEqual(['', 0])
    expect(await readBodies(other.send('Host: x\r\n\r\n'), 1)).toEqual(['/a'])
  })

  test('is refused after the answer to the request before it', async () => {
    const server = serve(async request => {
      await nextTurn()
      return echo(request)
    })
    for (const request of [getRequest('/'), postRequest('body')]) {
      const client = connectTo(server).send(`${request}\0\0 no request`)
      expect(await client.statuses(2)).toEqual([200, 400])
      expect(await client.waitForEnd()).toBe('ended')
    }
    expect(server.pendingRequests).toBe(0)
  })

  test('has a head of 16 KB at the most', async () => {
    const fitting = getRequest('/', `X: ${'a'.repeat(16 * 1024 - getRequest('/', 'X: ').length + 4)}`)
    expect((await connectTo(serve(echoPath)).send(fitting).answer()).status).toBe(200)
    const larger = fitting.replace('X: ', 'X: aa')
    expect((await connectTo(serve(echoPath)).send(larger).answer()).status).toBe(431)
  })

  test('leaves a server that answers on, whatever random bytes it was', async () => {
    const server = serve(echo)
    const property = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async bytes => {
      const client = connectTo(server).send(bytes)
      client.socket.end()
      await client.waitForEnd()
      expect(client.text).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
    })
    await fc.assert(property, { numRuns: 100 })
    expect(await readBodies(connectTo(server).send(getRequest('/a')), 1)).toEqual(['GET /a '])
    expect(server.pendingRequests).toBe(0)
  })
})

test('a handler that calls `json()` of a request does not compile: there is none', async () => {
  // @ts-expect-error: compiled for a cast `Request`, and threw.
  const server = serve(async request => new Response(await request.json()))
  const { status, body } = await connectTo(server).send(getRequest('/')).answer()
  expect([status, body.toString()]).toEqual([500, expect.stringContaining('is not a function')])
  // @ts-expect-error: the same for a route.
  route('GET', '/', { summary: '', handle: async ({ request }) => Response.json(await request.json()) })
})
