import { describe, expect, test } from 'bun:test'
import { localFileRange } from '../../storage/local/local-object.ts'
import { FileAnswer } from './answers.ts'
import type { HttpServer } from './http-server.ts'
import {
  chunksOf,
  echo,
  echoPath,
  getRequest,
  type Handler,
  postRequest,
  readBodies,
  requestText,
  until,
  useFiles,
  useServers,
} from './testing.ts'

const { serve, connectTo } = useServers()
const { fileOf } = await useFiles()

/** A client that waits for its answer is probed at each check. */
const quick = { checkInterval: 5 }

const serveQuickly = (handler: Handler) => serve(handler, undefined, quick)

describe('a client that leaves', () => {
  test('is told by the signal', async () => {
    const seen: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serveQuickly(async ({ signal }) => {
      signal.addEventListener('abort', () => seen.push('aborted'))
      await promise
      return new Response('for nobody')
    })
    const client = connectTo(server).send(getRequest('/'))
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    expect(seen).toEqual(['aborted'])
    resolve()
    expect((await connectTo(server).send(getRequest('/')).answer()).status).toBe(200)
  })

  test('after all of its body is read to the end all the same', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const read: number[] = []
    const server = serveQuickly(async request => {
      await promise
      read.push((await request.bytes()).length)
      return new Response('for nobody')
    })
    const client = connectTo(server).send(postRequest('whole'))
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    resolve()
    await until(() => read.length > 0)
    expect(read).toEqual([5])
  })

  test('is told to who asks later too', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let aborted: boolean | undefined
    const server = serveQuickly(async request => {
      await promise
      aborted = request.signal.aborted
      return new Response('for nobody')
    })
    const client = connectTo(server).send(getRequest('/'))
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    resolve()
    await until(() => aborted !== undefined)
    expect(aborted).toBe(true)
  })

  test.each(['', 'G', 'GET / HTTP/1.1\r\nHost'])('after %j leaves nothing behind', async begun => {
    const server = serve(echoPath)
    const client = connectTo(server).send(begun)
    // A later client is answered after this one was noticed.
    expect(await readBodies(connectTo(server).send(getRequest('/later')), 1)).toEqual(['/later'])
    client.socket.end()
    expect(await client.waitForEnd()).toBe('ended')
    expect([client.text, server.pendingRequests]).toEqual(['', 0])
  })

  test('after a large body that was not read is noticed', async () => {
    let aborted = false
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serveQuickly(async ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      await promise
      return new Response('for nobody')
    })
    const client = connectTo(server)
      .send(requestText('POST', '/', 'Content-Length: 400000'))
      .send(Buffer.alloc(400_000))
    await until(() => client.socket.writableLength === 0)
    client.socket.destroy()
    await until(() => aborted).finally(resolve)
  })
})

describe('a client that has only ended its sending side', () => {
  const slow: Handler = async request => {
    await Bun.sleep(30)
    return echo(request)
  }
  /** Everything that it receives until the other side ends the connection too. */
  const exchange = async (server: HttpServer, sent: string) => {
    const client = connectTo(server)
    client.socket.end(sent)
    expect(await client.waitForEnd()).toBe('ended')
    return client
  }

  test.each([
    ['a GET', getRequest('/a'), ['GET /a ']],
    ['a body by its length', postRequest('body'), ['POST / body']],
    [
      'a body in chunks',
      requestText('POST', '/', 'Transfer-Encoding: chunked') + chunksOf('bo', 'dy'),
      ['POST / body'],
    ],
    ['an HTTP/1.0 request', 'GET /a HTTP/1.0\r\n\r\n', ['GET /a ']],
    [
      'several requests',
      getRequest('/a') + postRequest('body') + getRequest('/b'),
      ['GET /a ', 'POST / body', 'GET /b '],
    ],
    [
      'requests and a part of one',
      `${getRequest('/a')}${postRequest('body')}GET /b`,
      ['GET /a ', 'POST / body'],
    ],
    ['requests and a part of a body', getRequest('/a') + postRequest('body').slice(0, -1), ['GET /a ']],
  ])('gets its answer: %s', async (_, sent, expected) => {
    for (const server of [serve(slow), serve(echo)]) {
      const client = await exchange(server, sent)
      expect(await readBodies(client, expected.length)).toEqual(expected)
      expect([client.text, server.pendingRequests]).toEqual(['', 0])
    }
  })

  test('gets an answer that takes longer than we look, after interim ones', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serveQuickly(async request => {
      await promise
      return echo(request)
    })
    const client = connectTo(server)
    client.socket.end(postRequest('body'))
    await until(() => client.text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2)))
    resolve()
    await client.waitForEnd()
    expect(client.text.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '')).toEndWith('\r\n\r\nPOST / body')
  })

  test('gets the refusal of what is no request', async () => {
    const client = await exchange(serve(echo), 'no request\r\n\r\n')
    expect(await client.statuses(1)).toEqual([400])
  })

  test.each([
    ['a head', getRequest('/').slice(0, -2)],
    ['a body by its length', postRequest('body').slice(0, -1)],
    ['a body in chunks', `${requestText('POST', '/', 'Transfer-Encoding: chunked')}2\r\nbo`],
  ])('in the middle of %s is taken for gone', async (_, sent) => {
    const outcomes: string[] = []
    const server = serve(async request => {
      const outcome = await request.bytes().then(
        () => 'whole',
        () => 'cut',
      )
      outcomes.push(outcome)
      return new Response(outcome)
    })
    expect((await exchange(server, sent)).text).toBe('')
    await until(() => server.pendingRequests === 0)
    expect(outcomes).not.toContain('whole')
  })
})

describe('time', () => {
  test('an idle connection is ended, and one that is being answered is not', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serve(
      async () => {
        await promise
        return new Response('late')
      },
      undefined,
      quick,
    )
    const idle = connectTo(server)
    const busy = connectTo(server).send(getRequest('/'))
    expect(await idle.waitForEnd()).toBe('ended')
    expect(await connectTo(server).waitForEnd()).toBe('ended')
    expect(busy.connectionState).toBe('open')
    resolve()
    expect(await readBodies(busy, 1)).toEqual(['late'])
  })

  test('a head that does not come to its end is given up, however often a byte of it comes', async () => {
    const client = connectTo(serve(() => new Response(), undefined, quick)).send('GET / HTTP/1.1\r\nX: ')
    const drip = setInterval(() => client.send('x'), 5)
    await client.waitForEnd()
    clearInterval(drip)
    expect(client.text).toStartWith('HTTP/1.1 408 ')
  })

  test('a body of which nothing more comes is given up', async () => {
    const server = serve(
      async request => new Response(String((await request.bytes()).length)),
      undefined,
      quick,
    )
    const client = connectTo(server)
      .send(requestText('POST', '/', 'Content-Length: 10'))
      .send('half')
    await client.waitForEnd()
    expect(server.pendingRequests).toBe(0)
    expect(client.text).toStartWith('HTTP/1.1 408 ')
  })

  test('a body that comes byte by byte is given up, and one that comes slowly is not', async () => {
    const server = serve(async request => new Response(String((await request.bytes()).length)), undefined, {
      checkInterval: 20,
    })
    const [drip, slow] = [connectTo(server), connectTo(server)]
    for (const client of [drip, slow]) client.send(requestText('POST', '/', 'Content-Length: 2000000'))
    // Counted in checks: 12 of them take as long as a hundred chunks, whatever else the machine does.
    let sent = 0
    const dripping = setInterval(() => drip.send('x'), 2)
    const sending = setInterval(() => {
      if (sent < 2_000_000) slow.send(Buffer.alloc(5000))
      sent += 5000
    }, 2)
    await drip.waitForEnd()
    clearInterval(dripping)
    expect(drip.text).toStartWith('HTTP/1.1 408 ')
    const { status, body } = await slow.answer()
    clearInterval(sending)
    expect([status, body.toString()]).toEqual([200, '2000000'])
  })

  test('a reader that takes nothing is given up, and one that takes a little is not', async () => {
    const file = fileOf('slow', Buffer.alloc(20_000_000))
    const server = serve(
      () => new FileAnswer(localFileRange(file, { start: 0, end: 20_000_000 })),
      undefined,
      {
        checkInterval: 20,
      },
    )
    const [none, little] = [connectTo(server).send(getRequest('/')), connectTo(server).send(getRequest('/'))]
    none.socket.pause()
    const taking = setInterval(() => {
      little.socket.resume()
      setTimeout(() => little.socket.pause(), 2)
    }, 10)
    await until(() => server.pendingRequests < 2)
    expect(little.connectionState).toBe('open')
    clearInterval(taking)
    little.socket.resume()
    expect((await little.answer()).body.length).toBe(20_000_000)
  })
})
