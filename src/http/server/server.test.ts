import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { localFileRange } from '../../storage/local/local-object.ts'
import { type Answer, FileAnswer, ReadyAnswer, StreamAnswer } from './answers.ts'
import { getRequest, manualStream, readBodies, requestText, until, useFiles, useServers } from './testing.ts'

const { serve, connectTo } = useServers()
const { fileOf } = await useFiles()

describe('a server that stops', () => {
  test('lets the running requests finish, ends idle connections and takes no new ones', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serve(async ({ url }) => {
      if (url === '/slow') await promise
      return new Response(url)
    })
    const idle = connectTo(server).send(getRequest('/a'))
    await idle.answer()
    const running = connectTo(server).send(getRequest('/slow') + getRequest('/next'))
    await until(() => server.pendingRequests === 1)
    server.stop()
    expect(await idle.waitForEnd()).toBe('ended')
    expect(await connectTo(server).waitForEnd()).toBe('broken')
    expect([running.connectionState, server.pendingRequests]).toEqual(['open', 1])
    resolve()
    const { headers, body } = await running.answer()
    expect([headers.get('Connection'), body.toString()]).toEqual(['close', '/slow'])
    expect(await running.waitForEnd()).toBe('ended')
    expect([running.text, server.pendingRequests]).toEqual(['', 0])
  })

  test('answers who has just connected and who has sent half a head', async () => {
    const server = serve(({ url }) => new Response(url))
    const fresh = connectTo(server)
    const half = connectTo(server).send('GET /half HTTP/1.1\r\nHo')
    // A later client is answered after both were noticed.
    expect(await readBodies(connectTo(server).send(getRequest('/later')), 1)).toEqual(['/later'])
    server.stop()
    expect(server.pendingRequests).toBe(2)
    fresh.send(getRequest('/fresh'))
    half.send('st: x\r\n\r\n')
    expect([await readBodies(fresh, 1), await readBodies(half, 1)]).toEqual([['/fresh'], ['/half']])
    await until(() => server.pendingRequests === 0)
  })

  test('does not wait for the request of a connection that was answered before', async () => {
    const server = serve(({ url }) => new Response(url))
    const idle = connectTo(server).send(getRequest('/'))
    await idle.answer()
    server.stop()
    expect(server.pendingRequests).toBe(0)
    expect(await idle.waitForEnd()).toBe('ended')
  })

  test('lets a body arrive and a long answer go out', async () => {
    const file = fileOf('stopping', randomBytes(8_000_000))
    let isAnswered = false
    const server = serve(async request => {
      await request.bytes()
      isAnswered = true
      return new FileAnswer(localFileRange(file, { start: 0, end: 8_000_000 }))
    })
    const client = connectTo(server).send(`${requestText('POST', '/', 'Content-Length: 6')}abc`)
    client.socket.pause()
    await until(() => server.pendingRequests === 1)
    server.stop()
    client.send('def')
    await until(() => isAnswered)
    client.socket.resume()
    expect((await client.answer()).body.length).toBe(8_000_000)
    expect(await client.waitForEnd()).toBe('ended')
    expect(server.pendingRequests).toBe(0)
  })

  test('does not wait for a body that nobody reads', async () => {
    const server = serve(() => new Response('early'), {
      grace: 5000,
      maxPause: 5000,
      maxDuration: 5000,
      bytes: 1000,
    })
    const client = connectTo(server).send(requestText('POST', '/', 'Content-Length: 6'))
    await until(() => server.pendingRequests === 1)
    server.stop()
    expect(await readBodies(client, 1)).toEqual(['early'])
    expect(await client.waitForEnd()).toBe('ended')
  })

  test('ends everything when told so', async () => {
    const source = manualStream()
    const server = serve(({ url }) =>
      url === '/never' ? new Promise<Answer>(() => {}) : new StreamAnswer(source.stream),
    )
    const never = connectTo(server).send(getRequest('/never'))
    const stream = connectTo(server).send(getRequest('/stream'))
    const idle = connectTo(server)
    await until(() => server.pendingRequests === 2)
    server.stop(true)
    for (const client of [never, stream, idle]) await client.waitForEnd()
    await until(() => source.cancelled && server.pendingRequests === 0)
    expect(await connectTo(server).waitForEnd()).toBe('broken')
  })

  test('ends each connection with its next answer once it drains', async () => {
    const ready = new ReadyAnswer(200, {}, Buffer.from('ready'))
    const server = serve(({ url }) => (url === '/ready' ? ready.acquire() : new Response(url)))
    const clients = ['/a', '/ready'].map(at => ({ client: connectTo(server).send(getRequest(at)), at }))
    for (const { client } of clients) expect((await client.answer()).headers.get('Connection')).toBe(null)
    server.drain()
    const fresh = { client: connectTo(server), at: '/b' }
    for (const { client, at } of [...clients, fresh]) {
      const { headers, body } = await client.send(getRequest(at)).answer()
      expect([headers.get('Connection'), body.toString()]).toEqual(['close', at === '/ready' ? 'ready' : at])
      expect(await client.waitForEnd()).toBe('ended')
    }
  })
})
