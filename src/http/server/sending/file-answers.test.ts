import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { localFileRange } from '../../../storage/local/local-object.ts'
import { type Answer, FileAnswer } from '../answers.ts'
import { getRequest, readBodies, sha256, until, useFiles, useServers } from '../testing.ts'

const { serve, connectTo } = useServers()
const { folder, fileOf } = await useFiles()

describe('an answer that is a file', () => {
  const bytes = randomBytes(20_000_000)
  const file = fileOf('large', bytes)

  test.each([
    [0, 10],
    [0, 100_000],
    [123_456, 5_123_457],
    [19_999_999, 20_000_000],
  ])('has the bytes from %d to %d', async (start, end) => {
    const client = connectTo(
      serve(() => new FileAnswer(localFileRange(file, { start, end }), { status: 206 })),
    )
    client.send(getRequest('/') + getRequest('/'))
    for (const _ of [1, 2]) {
      const { status, headers, body } = await client.answer()
      expect([status, headers.get('Content-Length')]).toEqual([206, String(end - start)])
      expect(sha256(body)).toBe(sha256(bytes.subarray(start, end)))
    }
  })

  test('that is empty comes', async () => {
    const file = fileOf('empty', Buffer.alloc(0))
    const client = connectTo(serve(() => new FileAnswer(localFileRange(file, { start: 0, end: 0 }))))
    expect((await client.send(getRequest('/')).answer()).headers.get('Content-Length')).toBe('0')
  })

  test('comes whole to a slow reader while others are answered', async () => {
    const server = serve(({ url }) =>
      url === '/small'
        ? new Response('small')
        : new FileAnswer(localFileRange(file, { start: 0, end: 20_000_000 })),
    )
    const slow = connectTo(server)
    slow.socket.on('data', () => {
      slow.socket.pause()
      setImmediate(() => slow.socket.resume())
    })
    slow.socket.pause()
    slow.send(getRequest('/') + getRequest('/small'))
    await until(() => server.pendingRequests === 1)
    expect(await readBodies(connectTo(server).send(getRequest('/small')), 1)).toEqual(['small'])
    slow.socket.resume()
    const { body } = await slow.answer()
    expect([body.length, sha256(body)]).toEqual([bytes.length, sha256(bytes)])
    expect(await readBodies(slow, 1)).toEqual(['small'])
  })

  test('is given up when its reader has left', async () => {
    const server = serve(() => new FileAnswer(localFileRange(file, { start: 0, end: 20_000_000 })))
    const readers = Array.from({ length: 5 }, () => connectTo(server).send(getRequest('/')))
    for (const { socket } of readers) socket.pause()
    await until(() => server.pendingRequests === 5)
    for (const { socket } of readers) socket.destroy()
    await until(() => server.pendingRequests === 0)
  })

  test('that is missing is answered with the error, and the connection goes on', async () => {
    const client = connectTo(
      serve(({ url }) =>
        url === '/missing'
          ? new FileAnswer(localFileRange(join(folder, 'missing'), { start: 0, end: 5 }))
          : new Response('fine'),
      ),
    )
    client.send(getRequest('/missing') + getRequest('/'))
    const { status, body } = await client.answer()
    expect([status, body.toString()]).toEqual([500, expect.stringContaining('ENOENT')])
    expect(await readBodies(client, 1)).toEqual(['fine'])
  })

  test('that cannot be read breaks its connection and no other', async () => {
    const file = fileOf('readable', Buffer.from('0123456789'))
    const server = serve(
      ({ url }) => new FileAnswer(localFileRange(url === '/bad' ? folder : file, { start: 0, end: 10 })),
    )
    const bad = connectTo(server)
    const others = Array.from({ length: 10 }, () => connectTo(server))
    // Twice: the first time makes sure that all are connected.
    for (const requests of [() => {}, () => bad.send(getRequest('/bad'))]) {
      requests()
      for (const other of others) other.send(getRequest('/'))
      for (const other of others) expect(await readBodies(other, 1)).toEqual(['0123456789'])
    }
    await bad.waitForEnd()
  })

  test('that is shorter than it was breaks the connection', async () => {
    const short = fileOf('short', Buffer.alloc(100))
    const server = serve(() => new FileAnswer(localFileRange(short, { start: 0, end: 200 })))
    const client = connectTo(server).send(getRequest('/') + getRequest('/'))
    expect(await client.waitForEnd()).toBe('broken')
    expect(client.text).toContain('Content-Length: 200\r\n')
    expect(client.receivedBytes().length).toBeLessThan(client.receivedBytes().indexOf('\r\n\r\n') + 4 + 200)
  })

  test('that is shortened on the way breaks the connection', async () => {
    const shortened = fileOf('shortened', bytes)
    const server = serve(() => new FileAnswer(localFileRange(shortened, { start: 0, end: bytes.length })))
    const client = connectTo(server)
    client.socket.once('data', () => truncateSync(shortened, 1000))
    client.send(getRequest('/'))
    expect(await client.waitForEnd()).toBe('broken')
    expect(client.receivedBytes().length).toBeLessThan(bytes.length)
    expect(server.pendingRequests).toBe(0)
  })
})

describe('without sendfile', () => {
  test('a file comes whole, to a slow reader too, and a range', async () => {
    const content = randomBytes(5_000_000)
    const file = fileOf('pieces', content)
    const range = (start: number, end: number) => new FileAnswer(localFileRange(file, { start, end }))
    const answers: Record<string, () => Answer> = {
      '/whole': () => range(0, content.length),
      '/part': () => range(17, 300_017),
    }
    const server = serve(({ url }) => answers[url]!(), undefined, { sendfileCalls: null })
    const client = connectTo(server)
    client.socket.pause()
    client.send(getRequest('/whole') + getRequest('/part'))
    await until(() => server.pendingRequests === 1)
    client.socket.resume()
    expect(Buffer.compare((await client.answer()).body, content)).toBe(0)
    expect(Buffer.compare((await client.answer()).body, content.subarray(17, 300_017))).toBe(0)
  })
})
