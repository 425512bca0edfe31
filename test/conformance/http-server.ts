/**
 * The conformance suite that every HTTP server passes. It tests what `http-server.ts` promises, nothing
 * specific to an adapter.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { FileAnswer, ReadyAnswer, StreamAnswer } from '../../src/http/server/answers.ts'
import type { HttpServer, RequestHandlers, ServerParts } from '../../src/http/server/http-server.ts'
import {
  Client,
  chunksOf,
  getRequest,
  manualStream,
  postRequest,
  readBodies,
  requestText,
  sha256,
  until,
  useFiles,
} from '../../src/http/server/testing.ts'
import { pathOf } from '../../src/http/url-parts.ts'
import { localFileRange } from '../../src/storage/local/local-object.ts'
import { randomBytes } from '../support/bytes.ts'

const { fileOf } = await useFiles()
const bytes = randomBytes(3, 3_000_000)
const file = fileOf('large', bytes)
const range = (start: number, end: number) => localFileRange(file, { start, end })

export function httpServerConformance(name: string, start: (parts: ServerParts) => HttpServer): void {
  describe(`HTTP server port: ${name}`, () => {
    const servers: HttpServer[] = []
    const clients: Client[] = []

    afterEach(() => {
      for (const client of clients.splice(0)) client.socket.destroy()
      for (const server of servers.splice(0)) server.stop(true)
    })

    function serve(fetch: RequestHandlers['fetch']): HttpServer {
      const server = start({
        ...{ hostname: '127.0.0.1', port: 0, reusePort: false, fetch },
        error: cause => new Response(`error: ${(cause as Error).message}`, { status: 500 }),
        refuse: refusal => new Response(refusal, { status: 400 }),
        networkOf: () => null,
        onOverload() {},
      })
      servers.push(server)
      return server
    }
    function connectTo(server: HttpServer): Client {
      const client = new Client(server)
      clients.push(client)
      return client
    }

    test('a handler sees method, path, query, headers and address of a request', async () => {
      const server = serve(({ method, url, headers, peer, body }) =>
        Response.json([
          method,
          pathOf(url),
          url.split('?')[1],
          headers.get('x-a'),
          headers.has('x-b'),
          peer,
          body,
        ]),
      )
      const client = connectTo(server).send(getRequest('/a%20b/c?d=e%20f', 'X-A: one'))
      expect(JSON.parse((await client.answer()).body.toString())).toEqual([
        'GET',
        '/a%20b/c',
        'd=e%20f',
        'one',
        false,
        '127.0.0.1',
        null,
      ])
    })

    test('status, headers and bytes of an answer arrive, with its length', async () => {
      const server = serve(() => new Response('short', { status: 201, headers: { 'X-A': 'one' } }))
      const { status, headers, body } = await connectTo(server).send(getRequest('/')).answer()
      expect([status, headers.get('X-A'), headers.get('Content-Length'), body.toString()]).toEqual([
        201,
        'one',
        '5',
        'short',
      ])
    })

    test('requests of one connection are answered in order', async () => {
      const server = serve(async ({ url }) => {
        if (url.endsWith('/slow')) await Bun.sleep(10)
        return new Response(pathOf(url))
      })
      const client = connectTo(server)
      for (const path of ['/slow', '/a', '/slow'])
        expect(await readBodies(client.send(getRequest(path)), 1)).toEqual([path])
      client.send(getRequest('/a') + getRequest('/b') + getRequest('/c'))
      expect(await readBodies(client, 3)).toEqual(['/a', '/b', '/c'])
    })

    test.each([
      ['with a length', postRequest('the body')],
      ['in chunks', requestText('POST', '/', 'Transfer-Encoding: chunked') + chunksOf('the ', 'body')],
    ])('a body %s comes whole, at once or as a stream', async (_, request) => {
      const asWhole = serve(async incoming => new Response(await incoming.bytes()))
      expect(await readBodies(connectTo(asWhole).send(request + request), 2)).toEqual([
        'the body',
        'the body',
      ])
      const asStream = serve(async ({ body }) => new Response(Buffer.concat(await Array.fromAsync(body!))))
      expect(await readBodies(connectTo(asStream).send(request + request), 2)).toEqual([
        'the body',
        'the body',
      ])
    })

    test('a large body comes whole', async () => {
      const server = serve(
        async ({ body }) => new Response(sha256(Buffer.concat(await Array.fromAsync(body!)))),
      )
      const client = connectTo(server)
        .send(requestText('POST', '/', `Content-Length: ${bytes.length}`))
        .send(bytes)
      expect(await readBodies(client, 1)).toEqual([sha256(bytes)])
    })

    test.each([
      ['whole', 200, 0, 3_000_000],
      ['a range of it', 206, 1000, 2_500_000],
      ['its first byte', 206, 0, 1],
    ])('a file arrives with its length: %s', async (_, status, from, to) => {
      const server = serve(() => new FileAnswer(range(from, to), { status, headers: { ETag: '"a"' } }))
      const client = connectTo(server).send(getRequest('/') + getRequest('/'))
      for (const _ of [1, 2]) {
        const got = await client.answer()
        expect([got.status, got.headers.get('Content-Length'), got.headers.get('ETag')]).toEqual([
          status,
          String(to - from),
          '"a"',
        ])
        expect(sha256(got.body)).toBe(sha256(bytes.subarray(from, to)))
      }
    })

    test('HEAD announces the length of a file and has no body', async () => {
      const server = serve(({ method }) =>
        method === 'HEAD' ? new FileAnswer(range(0, 3_000_000)) : new Response('next'),
      )
      const client = connectTo(server).send(requestText('HEAD', '/') + getRequest('/'))
      expect((await client.answer('HEAD')).headers.get('Content-Length')).toBe('3000000')
      expect(await readBodies(client, 1)).toEqual(['next'])
    })

    test('a 304 has no body, and the connection goes on', async () => {
      const server = serve(({ url }) =>
        url.endsWith('/same')
          ? new Response(null, { status: 304, headers: { ETag: '"a"' } })
          : new Response('next'),
      )
      const client = connectTo(server).send(getRequest('/same') + getRequest('/'))
      const { status, headers } = await client.answer()
      expect([status, headers.get('ETag')]).toEqual([304, '"a"'])
      expect(await readBodies(client, 1)).toEqual(['next'])
    })

    test('an answer that lies ready is sent to every reader, from memory and from an open file', async () => {
      const answers = { '/memory': Buffer.from('ready'), '/file': range(0, 3_000_000) }
      const ready = Object.entries(answers).map(([at, body]) => [at, new ReadyAnswer(200, {}, body)] as const)
      const server = serve(({ url }) => new Map(ready).get(pathOf(url))!.acquire())
      const client = connectTo(server)
      for (const _ of [1, 2]) {
        client.send(getRequest('/memory') + getRequest('/file'))
        expect(await readBodies(client, 1)).toEqual(['ready'])
        expect(sha256((await client.answer()).body)).toBe(sha256(bytes))
      }
      for (const [, each] of ready) each.retire()
    })

    test('a stream arrives while it is made, and whole', async () => {
      const source = manualStream()
      const server = serve(() => new StreamAnswer(source.stream))
      const client = connectTo(server).send(getRequest('/'))
      source.give('one')
      await until(() => client.text.includes('one'))
      source.give('two')
      source.close()
      expect(await readBodies(client, 1)).toEqual(['onetwo'])
    })

    test('a stream that fails does not look like a whole one', async () => {
      const source = manualStream()
      const server = serve(() => new StreamAnswer(source.stream))
      const client = connectTo(server).send(getRequest('/'))
      source.give('one')
      await until(() => client.text.includes('one'))
      source.fail()
      await client.waitForEnd()
      expect(client.text).not.toContain('0\r\n\r\n')
    })

    test('a client that leaves is reported to the handler, and its stream is cancelled', async () => {
      let isAborted = false
      const { promise: never } = Promise.withResolvers<Response>()
      const source = manualStream()
      const server = serve(({ url, signal }) => {
        if (url.endsWith('/stream')) return new StreamAnswer(source.stream)
        signal.addEventListener('abort', () => {
          isAborted = true
        })
        return never
      })
      const [waiting, reading] = [
        connectTo(server).send(getRequest('/')),
        connectTo(server).send(getRequest('/stream')),
      ]
      source.give('one')
      await until(() => reading.text.includes('one') && server.pendingRequests === 2)
      for (const client of [waiting, reading]) client.socket.destroy()
      const giving = setInterval(() => !source.cancelled && source.give('more'), 5)
      await until(() => isAborted && source.cancelled)
      clearInterval(giving)
    })

    test('an error of a handler becomes an answer, and the connection goes on', async () => {
      const server = serve(async ({ url }) => {
        if (url.endsWith('/bad')) throw new Error('broken')
        return new Response('good')
      })
      const client = connectTo(server).send(getRequest('/bad') + getRequest('/'))
      const { status, body } = await client.answer()
      expect([status, body.toString()]).toEqual([500, 'error: broken'])
      expect(await readBodies(client, 1)).toEqual(['good'])
    })

    test('each connection ends with its next answer once the server drains', async () => {
      const server = serve(() => new Response('answer'))
      const client = connectTo(server).send(getRequest('/'))
      await client.answer()
      server.drain()
      client.send(getRequest('/'))
      expect((await client.answer()).headers.get('Connection')).toBe('close')
      expect(await client.waitForEnd()).toBe('ended')
    })

    test('a server that stops lets the running requests finish and takes no new connections', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const server = serve(async () => {
        await promise
        return new Response('late')
      })
      const client = connectTo(server).send(getRequest('/'))
      await until(() => server.pendingRequests === 1)
      server.stop()
      expect(await connectTo(server).waitForEnd()).toBe('broken')
      resolve()
      expect(await readBodies(client, 1)).toEqual(['late'])
      expect(await client.waitForEnd()).toBe('ended')
      await until(() => server.pendingRequests === 0)
    })

    test('a server that is stopped at once ends what is open', async () => {
      const server = serve(() => Promise.withResolvers<Response>().promise)
      const client = connectTo(server).send(getRequest('/'))
      await until(() => server.pendingRequests === 1)
      server.stop(true)
      await client.waitForEnd()
    })
  })
}
