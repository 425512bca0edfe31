import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { type Answer, StreamAnswer } from '../answers.ts'
import { getRequest, manualStream, requestText, sha256, until, useServers } from '../testing.ts'

const { serve, connectTo } = useServers()

describe('an answer that is a stream', () => {
  test('is refused as a plain Response, which would be held in memory as a whole', async () => {
    const server = serve(({ url }) => new Response(url === '/' ? 'next' : manualStream().stream))
    const client = connectTo(server).send(getRequest('/stream') + getRequest('/'))
    const { status, body } = await client.answer()
    expect([status, body.toString()]).toEqual([500, 'error: the body of a plain Response is not in memory'])
    expect((await client.answer()).body.toString()).toBe('next')
  })

  test('comes in chunks, each when it is made', async () => {
    const source = manualStream()
    const client = connectTo(serve(() => new StreamAnswer(source.stream))).send(
      getRequest('/') + getRequest('/'),
    )
    await until(() => client.text.endsWith('Transfer-Encoding: chunked\r\n\r\n'))
    source.give('one')
    await until(() => client.text.endsWith('\r\n3\r\none\r\n'))
    source.give('')
    source.give('the second')
    await until(() => client.text.endsWith('a\r\nthe second\r\n'))
    source.close()
    const { headers, body } = await client.answer()
    expect([headers.get('Content-Length'), body.toString()]).toEqual([null, 'onethe second'])
    expect((await client.answer()).status).toBe(500)
  })

  test('comes in chunks also when the connection ends with it', async () => {
    const source = manualStream()
    const client = connectTo(serve(() => new StreamAnswer(source.stream))).send(
      getRequest('/', 'Connection: close'),
    )
    source.give('one')
    source.close()
    expect((await client.answer()).headers.get('Transfer-Encoding')).toBe('chunked')
  })

  test('ends with the connection for HTTP/1.0', async () => {
    const source = manualStream()
    const client = connectTo(serve(() => new StreamAnswer(source.stream)))
    client.send('GET / HTTP/1.0\r\n\r\n')
    source.give('one')
    await until(() => client.text.endsWith('one'))
    source.give('two')
    source.close()
    const { headers, body } = await client.answer()
    expect([headers.get('Transfer-Encoding'), headers.get('Connection')]).toEqual([null, 'close'])
    expect(body.toString()).toBe('onetwo')
  })

  test('of a known length comes with that length', async () => {
    const source = manualStream()
    const headers = { 'Content-Length': '6' }
    const client = connectTo(serve(() => new StreamAnswer(source.stream, { headers }))).send(getRequest('/'))
    source.give('one')
    source.give('two')
    source.close()
    const got = await client.answer()
    expect([got.headers.get('Content-Length'), got.headers.get('Transfer-Encoding')]).toEqual(['6', null])
    expect(got.body.toString()).toBe('onetwo')
  })

  test('of a known length tells it to HEAD too', async () => {
    const headers = { 'Content-Length': '6' }
    const client = connectTo(serve(() => new StreamAnswer(manualStream().stream, { headers }))).send(
      requestText('HEAD', '/'),
    )
    expect((await client.answer('HEAD')).headers.get('Content-Length')).toBe('6')
  })

  test('is not sent to HEAD, and its source is cancelled', async () => {
    const source = manualStream()
    const client = connectTo(serve(() => new StreamAnswer(source.stream))).send(requestText('HEAD', '/'))
    expect((await client.answer('HEAD')).status).toBe(200)
    await until(() => source.cancelled)
    expect(client.text).toBe('')
  })

  test('is made no faster than its reader takes it, and comes whole', async () => {
    let made = 0
    const part = randomBytes(100_000)
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: controller => (made++ < 200 ? controller.enqueue(Buffer.from(part)) : controller.close()),
      },
      { highWaterMark: 0 },
    )
    const client = connectTo(serve(() => new StreamAnswer(stream)))
    client.socket.pause()
    client.send(getRequest('/'))
    await Bun.sleep(100)
    expect(made).toBeLessThan(150)
    client.socket.resume()
    const { body } = await client.answer()
    expect(sha256(body)).toBe(sha256(Buffer.concat(Array(200).fill(part))))
  })

  test('is cancelled when its reader has left, at the next bytes', async () => {
    const source = manualStream()
    const server = serve(() => new StreamAnswer(source.stream))
    const client = connectTo(server).send(getRequest('/'))
    source.give('one')
    await until(() => client.text.includes('one'))
    expect(server.pendingRequests).toBe(1)
    client.socket.destroy()
    const giving = setInterval(() => source.give('two'), 5)
    await until(() => source.cancelled && server.pendingRequests === 0)
    clearInterval(giving)
  })

  test('without an end is cancelled as soon as its reader sends no more', async () => {
    const source = manualStream()
    const server = serve(() => new StreamAnswer(source.stream, {}, true))
    const client = connectTo(server).send(getRequest('/'))
    source.give('one')
    await until(() => client.text.includes('one'))
    client.socket.end()
    await until(() => source.cancelled && server.pendingRequests === 0)
  })

  test('comes whole to a reader that sends no more', async () => {
    const source = manualStream()
    const server = serve(() => new StreamAnswer(source.stream))
    const client = connectTo(server)
    client.socket.end(getRequest('/'))
    for (const part of ['one', 'two', 'three']) {
      source.give(part)
      await until(() => client.text.includes(part))
    }
    source.close()
    expect((await client.answer()).body.toString()).toBe('onetwothree')
    expect(await client.waitForEnd()).toBe('ended')
  })

  test('is cancelled when its reader had left before', async () => {
    const source = manualStream()
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const server = serve(() => promise, undefined, { checkInterval: 5 })
    const client = connectTo(server).send(getRequest('/'))
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    resolve(new StreamAnswer(source.stream))
    await until(() => source.cancelled)
  })

  test.each([
    ['in chunks', getRequest('/'), {}],
    ['by its length', getRequest('/'), { 'Content-Length': '6' }],
    ['to the end of the connection', 'GET / HTTP/1.0\r\n\r\n', {}],
  ])('that fails breaks the connection: %s', async (_, request, headers) => {
    const source = manualStream()
    const server = serve(() => new StreamAnswer(source.stream, { headers }))
    const client = connectTo(server).send(request)
    source.give('one')
    await until(() => client.text.includes('one'))
    source.fail()
    expect(await client.waitForEnd()).toBe('broken')
    expect(client.text).not.toContain('0\r\n\r\n')
    expect(server.pendingRequests).toBe(0)
  })

  test.each([
    ['less', 'one'],
    ['more', 'one and two'],
  ])('that yields %s than its length breaks the connection', async (_, text) => {
    const server = serve(() => {
      const source = manualStream()
      source.give(text)
      source.close()
      return new StreamAnswer(source.stream, { headers: { 'Content-Length': '6' } })
    })
    const client = connectTo(server).send(getRequest('/') + getRequest('/'))
    expect(await client.waitForEnd()).toBe('broken')
    expect(client.answerCount).toBeLessThan(2)
  })
})
