import { describe, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { nextTurn } from '../../../../test/support/wait.ts'
import {
  echo,
  getRequest,
  type Handler,
  postRequest,
  readBodies,
  requestText,
  sha256,
  until,
  useServers,
} from '../testing.ts'
import { IncomingBody } from './incoming-body.ts'

const { serve, connectTo } = useServers()

describe('the body of a request', () => {
  const bytes = randomBytes(5_000_000)
  const readers: Record<string, Handler> = {
    '/bytes': async request => new Response(sha256(await request.bytes())),
    '/stream': async request => {
      const hash = createHash('sha256')
      for await (const part of request.body!) hash.update(part)
      return new Response(hash.digest('hex'))
    },
    '/none': async request => new Response(`${request.body} ${(await request.bytes()).length}`),
  }
  const read: Handler = request => readers[request.url]!(request)

  test.each(['/bytes', '/stream'])('of five megabytes comes whole: %s', async at => {
    const client = connectTo(serve(read))
    for (const _ of [1, 2]) {
      client.send(requestText('POST', at, `Content-Length: ${bytes.length}`)).send(bytes)
      expect(await readBodies(client, 1)).toEqual([sha256(bytes)])
    }
  })

  test.each(['/bytes', '/stream'])('comes whole in chunks: %s', async at => {
    const client = connectTo(serve(read)).send(requestText('POST', at, 'Transfer-Encoding: chunked'))
    for (let start = 0; start < bytes.length; start += 300_001) {
      const part = bytes.subarray(start, start + 300_001)
      client
        .send(`${part.length.toString(16)}\r\n`)
        .send(part)
        .send('\r\n')
    }
    client.send(`0\r\nX-Sum: 1\r\n\r\n${postRequest('next', '/bytes')}`)
    expect(await readBodies(client, 2)).toEqual([sha256(bytes), sha256(Buffer.from('next'))])
  })

  test('may be none', async () => {
    const client = connectTo(serve(read)).send(
      getRequest('/none') + requestText('POST', '/none', 'Content-Length: 0'),
    )
    expect(await readBodies(client, 2)).toEqual(['null 0', 'null 0'])
  })

  test('of bytes that come one by one is not kept as one part for each', async () => {
    const body = new IncomingBody({ onWanted() {}, onFull() {} })
    for (let at = 0; at < 10_000; at++) body.push(Buffer.from([at % 251]))
    body.push(Buffer.alloc(5000))
    const part = await body.read()
    expect([part!.length, part![777]]).toEqual([10_000, 777 % 251])
    expect(part!.buffer.byteLength).toBeLessThanOrEqual(20_000)
    expect((await body.read())!.length).toBe(5000)
  })

  test('is not taken faster than it is read', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serve(async request => {
      await promise
      return readers['/stream']!(request)
    })
    const client = connectTo(server)
    const size = 50_000_000
    const sent = Buffer.alloc(size, 'abc')
    client.send(requestText('POST', '/', `Content-Length: ${size}`))
    expect(client.socket.write(sent)).toBe(false)
    await until(() => server.pendingRequests === 1)
    // The system's buffers fill up, and then nothing moves any more.
    let before: number
    do {
      before = client.socket.writableLength
      for (let turn = 0; turn < 1000; turn++) await nextTurn()
    } while (client.socket.writableLength < before)
    expect(client.socket.writableLength).toBeGreaterThan(size / 2)
    expect(server.pendingRequests).toBe(1)
    resolve()
    expect(await readBodies(client, 1)).toEqual([sha256(sent)])
  })

  test('that comes in small chunks is joined: a piece of memory for each would cost a hundred times as much', async () => {
    const server = serve(async request => {
      let [bytes, parts] = [0, 0]
      for await (const part of request.body!) {
        bytes += part.length
        parts++
      }
      return Response.json([bytes, parts])
    })
    const client = connectTo(server).send(requestText('POST', '/', 'Transfer-Encoding: chunked'))
    client.send('1\r\nx\r\n'.repeat(50_000)).send('0\r\n\r\n')
    await until(() => client.text !== '', 15_000)
    const [bytes, parts] = JSON.parse((await readBodies(client, 1))[0]!) as [number, number]
    expect(bytes).toBe(50_000)
    expect(parts).toBeLessThan(1000)
  })

  test('is asked for when it is read, if its sender waits', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serve(async request => {
      if (request.method === 'POST') await promise
      return echo(request)
    })
    const client = connectTo(server).send(
      requestText('POST', '/', 'Content-Length: 5', 'Expect: 100-continue'),
    )
    await until(() => server.pendingRequests === 1)
    expect(await readBodies(connectTo(server).send(getRequest('/later')), 1)).toEqual(['GET /later '])
    expect(client.text).toBe('')
    resolve()
    await until(() => client.text === 'HTTP/1.1 100 Continue\r\n\r\n')
    client.send('hello')
    expect((await client.answer()).status).toBe(100)
    expect(await readBodies(client, 1)).toEqual(['POST / hello'])
  })

  test('is not asked for when it has come already', async () => {
    const client = connectTo(serve(echo))
    client.send(`${requestText('POST', '/', 'Content-Length: 5', 'Expect: 100-continue')}hello`)
    expect(await readBodies(client, 1)).toEqual(['POST / hello'])
  })

  test.each([
    ['by its length', ['Content-Length: 10'], 'hello'],
    ['in chunks', ['Transfer-Encoding: chunked'], '5\r\nhello\r\n3\r\n'],
  ])('whose sender leaves cannot be read to its end: %s', async (_, fields, sent) => {
    const seen: string[] = []
    const server = serve(async request => {
      request.signal.addEventListener('abort', () => seen.push('aborted'))
      await request.bytes().catch(error => seen.push(error.message))
      seen.push(`later ${request.signal.aborted}`)
      return new Response('for nobody')
    })
    const client = connectTo(server).send(requestText('POST', '/', ...fields) + sent)
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => seen.length === 3)
    expect(seen).toEqual(['aborted', 'the connection has ended before the body', 'later true'])
    expect(server.pendingRequests).toBe(0)
  })

  test('that is none in chunks is refused, and its reader hears so', async () => {
    const seen: string[] = []
    const server = serve(async request => {
      await request.bytes().catch(error => seen.push(error.message))
      return new Response('for nobody')
    })
    const client = connectTo(server).send(requestText('POST', '/', 'Transfer-Encoding: chunked'))
    await until(() => server.pendingRequests === 1)
    client.send('5\r\nhello\n')
    expect((await client.answer()).status).toBe(400)
    expect(await client.waitForEnd()).toBe('ended')
    expect([seen.length, client.text, server.pendingRequests]).toEqual([1, '', 0])
  })

  test('may be read by a handler that answers before its end', async () => {
    const server = serve(request => {
      void request.bytes().catch(() => {})
      return new Response('early')
    })
    const client = connectTo(server).send(`${requestText('POST', '/', 'Content-Length: 5')}abc`)
    await nextTurn()
    expect(await readBodies(client.send(`de${getRequest('/')}`), 2)).toEqual(['early', 'early'])
  })
})
