import { describe, expect, test } from 'bun:test'
import { localFile } from '../../storage/local-object.ts'
import { FileAnswer } from './answers.ts'
import { ask, bodies, get, path, post, until, useFiles, useServers } from './testing.ts'

const { serve, connectTo } = useServers()
const { fileOf } = await useFiles()

describe('a client that leaves', () => {
  test('is told by the signal', async () => {
    const seen: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serve(async ({ signal }) => {
      signal.addEventListener('abort', () => seen.push('aborted'))
      await promise
      return new Response('for nobody')
    })
    const client = connectTo(server).send(get('/'))
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    expect(seen).toEqual(['aborted'])
    resolve()
    expect((await connectTo(server).send(get('/')).answer()).status).toBe(200)
  })

  test('after all of its body is read to the end all the same', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const read: number[] = []
    const server = serve(async request => {
      await promise
      read.push((await request.bytes()).length)
      return new Response('for nobody')
    })
    const client = connectTo(server).send(post('whole'))
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
    const server = serve(async request => {
      await promise
      aborted = request.signal.aborted
      return new Response('for nobody')
    })
    const client = connectTo(server).send(get('/'))
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    resolve()
    await until(() => aborted !== undefined)
    expect(aborted).toBe(true)
  })

  test.each(['', 'G', 'GET / HTTP/1.1\r\nHost'])('after %j leaves nothing behind', async begun => {
    const server = serve(path)
    const client = connectTo(server).send(begun)
    await Bun.sleep(5)
    client.socket.end()
    expect(await client.ended()).toBe('ended')
    expect([client.text, server.pendingRequests]).toEqual(['', 0])
  })

  test('after a large body that was not read is noticed', async () => {
    let aborted = false
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serve(async ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      await promise
      return new Response('for nobody')
    })
    const client = connectTo(server)
      .send(ask('POST', '/', 'Content-Length: 400000'))
      .send(Buffer.alloc(400_000))
    await Bun.sleep(100)
    client.socket.destroy()
    await until(() => aborted, 300).finally(resolve)
  })
})

describe('time', () => {
  const quick = { lookEvery: 5 }

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
    const busy = connectTo(server).send(get('/'))
    expect(await idle.ended()).toBe('ended')
    await Bun.sleep(100)
    expect(busy.end).toBe('open')
    resolve()
    expect(await bodies(busy, 1)).toEqual(['late'])
  })

  test('a head that does not come to its end is given up, however often a byte of it comes', async () => {
    const client = connectTo(serve(() => new Response(), undefined, quick)).send('GET / HTTP/1.1\r\nX: ')
    const drip = setInterval(() => client.send('x'), 5)
    await client.ended()
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
      .send(ask('POST', '/', 'Content-Length: 10'))
      .send('half')
    await client.ended()
    expect(server.pendingRequests).toBe(0)
    expect(client.text).toStartWith('HTTP/1.1 408 ')
  })

  test('a reader that takes nothing is given up, and one that takes a little is not', async () => {
    const file = fileOf('slow', Buffer.alloc(20_000_000))
    const server = serve(() => new FileAnswer(localFile(file, { start: 0, end: 20_000_000 })), undefined, {
      lookEvery: 20,
    })
    const [none, little] = [connectTo(server).send(get('/')), connectTo(server).send(get('/'))]
    none.socket.pause()
    const taking = setInterval(() => {
      little.socket.resume()
      setTimeout(() => little.socket.pause(), 2)
    }, 10)
    await until(() => server.pendingRequests < 2)
    expect(little.end).toBe('open')
    clearInterval(taking)
    little.socket.resume()
    expect((await little.answer()).body.length).toBe(20_000_000)
  })
})
