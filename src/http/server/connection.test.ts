import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextTurn } from '../../../test/support/wait.ts'
import { ask, bodies, chunksOf, echo, get, path, post, until, useServers } from './testing.ts'

const { serve, connectTo } = useServers()

describe('a connection', () => {
  test('takes one request after the other', async () => {
    const client = connectTo(serve(path))
    for (const at of ['/a', '/b', '/c']) {
      client.send(get(at))
      expect(await bodies(client, 1)).toEqual([at])
    }
    expect(client.end).toBe('open')
  })

  test('answers requests that came in one packet in their order, slow ones too', async () => {
    const server = serve(async request => {
      for (let turn = 0; request.url === '/a' && turn < 10; turn++) await nextTurn()
      return echo(request)
    })
    const client = connectTo(server).send(get('/a') + post('one') + get('/b') + post('two', '/p') + get('/c'))
    expect(await bodies(client, 5)).toEqual(['GET /a ', 'POST / one', 'GET /b ', 'POST /p two', 'GET /c '])
  })

  test('takes a hundred requests in one packet while their client reads late', async () => {
    const server = serve(({ url }) => new Response(url.padEnd(40_000, '.')))
    const client = connectTo(server)
    client.socket.pause()
    client.send(Array.from({ length: 100 }, (_, at) => get(`/${at}`, `X: ${'y'.repeat(1000)}`)).join(''))
    await until(() => server.pendingRequests === 1)
    client.socket.resume()
    const got = await bodies(client, 100)
    expect(got.map(body => Number.parseInt(body.slice(1), 10))).toEqual(Array.from(got, (_, at) => at))
    expect(got.every(body => body.length === 40_000)).toBe(true)
  })

  test('takes requests that come byte by byte', async () => {
    const client = connectTo(serve(echo))
    const body = `${ask('POST', '/c', 'Transfer-Encoding: chunked')}${chunksOf('ab', 'c')}`
    for (const byte of get('/a') + post('hello') + body) {
      client.send(byte)
      await new Promise(setImmediate)
    }
    expect(await bodies(client, 3)).toEqual(['GET /a ', 'POST / hello', 'POST /c abc'])
  })

  test('takes empty lines before a request', async () => {
    const client = connectTo(serve(echo)).send(`\r\n\r\n${post('a')}\r\n${get('/b')}`)
    expect(await bodies(client, 2)).toEqual(['POST / a', 'GET /b '])
    client.send('\r')
    await nextTurn()
    client.send('\n')
    await nextTurn()
    expect(await bodies(client.send(get('/c')), 1)).toEqual(['GET /c '])
  })

  test('takes a hundred empty lines before a request and no more', async () => {
    const server = serve(path)
    const few = connectTo(server)
      .send('\r\n'.repeat(50))
      .send(`${'\r\n'.repeat(50)}${get('/a')}${get('/b')}`)
    expect(await bodies(few, 2)).toEqual(['/a', '/b'])
    expect((await connectTo(server).send('\r\n'.repeat(101)).answer()).status).toBe(400)
  })

  test.each([
    ['HTTP/1.0', 'GET /a HTTP/1.0\r\n\r\n'],
    ['Connection: close', get('/a', 'Connection: close')],
  ])('ends with the answer to %s', async (_, request) => {
    const client = connectTo(serve(path)).send(request + get('/more'))
    const { headers, body } = await client.answer()
    expect([headers.get('Connection'), body.toString()]).toEqual(['close', '/a'])
    expect(await client.waitForEnd()).toBe('ended')
    expect(client.text).toBe('')
  })

  test('that its client ends after a request has its answer when that is known', async () => {
    const client = connectTo(serve(path))
    client.socket.end(get('/a'))
    expect(await bodies(client, 1)).toEqual(['/a'])
    expect(await client.waitForEnd()).toBe('ended')
  })

  test('tells the address of its client', async () => {
    const client = connectTo(serve(({ peer }) => new Response(peer))).send(get('/'))
    expect(await bodies(client, 1)).toEqual(['127.0.0.1'])
  })

  test('is spoken by the fetch of the runtime too', async () => {
    const { port } = serve(echo)
    const answers = Array.from({ length: 20 }, (_, at) =>
      fetch(`http://127.0.0.1:${port}/${at}`, { method: 'PUT', body: 'x'.repeat(at * 1000) }),
    )
    const texts = await Promise.all(answers.map(async answer => (await answer).text()))
    expect(texts).toEqual(texts.map((_, at) => `PUT /${at} ${'x'.repeat(at * 1000)}`))
  })
})

describe('any sequence of requests', () => {
  const at = fc.constantFrom('/', '/a', '/slow', '/early?x')
  const text = fc.string({ unit: fc.constantFrom(...'ab0\r\n:'), maxLength: 30 })
  const asked = fc.oneof(
    at.map(to => ({ wire: get(to), answer: `GET ${to} ` })),
    fc.tuple(at, text).map(([to, body]) => ({ wire: post(body, to), answer: `POST ${to} ${body}` })),
    fc
      .tuple(
        at,
        fc.array(
          text.filter(part => part !== ''),
          { maxLength: 3 },
        ),
      )
      .map(([to, parts]) => ({
        wire: ask('POST', to, 'Transfer-Encoding: chunked') + chunksOf(...parts),
        answer: `POST ${to} ${parts.join('')}`,
      })),
  )
  const requests = fc.array(asked, { minLength: 1, maxLength: 6 })

  test('is answered in its order, wherever its packets are cut', async () => {
    const server = serve(
      async request => {
        if (request.url === '/slow') await nextTurn()
        return request.url.startsWith('/early') ? new Response('early') : echo(request)
      },
      { grace: 5000, pause: 5000, whole: 5000, bytes: 1_000_000 },
    )
    const property = fc.asyncProperty(requests, fc.array(fc.nat(), { maxLength: 8 }), async (sent, cuts) => {
      const client = connectTo(server)
      const wire = sent.map(({ wire }) => wire).join('')
      const places = [...cuts.map(cut => cut % wire.length).toSorted((a, b) => a - b), wire.length]
      let start = 0
      for (const end of places) {
        if (end > start) client.send(wire.slice(start, end))
        start = end
        await new Promise(setImmediate)
      }
      const expected = sent.map(({ answer }) => (answer.includes('/early') ? 'early' : answer))
      expect(await bodies(client, sent.length)).toEqual(expected)
      expect([client.end, client.text, server.pendingRequests]).toEqual(['open', '', 0])
      client.socket.destroy()
    })
    await fc.assert(property, { numRuns: 100 })
  })
})
