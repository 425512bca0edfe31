import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextTurn } from '../../../test/support/wait.ts'
import {
  chunksOf,
  echo,
  echoPath,
  getRequest,
  postRequest,
  readBodies,
  requestText,
  until,
  useServers,
} from './testing.ts'

const { serve, connectTo } = useServers()

describe('a connection', () => {
  test('takes one request after the other', async () => {
    const client = connectTo(serve(echoPath))
    for (const at of ['/a', '/b', '/c']) {
      client.send(getRequest(at))
      expect(await readBodies(client, 1)).toEqual([at])
    }
    expect(client.connectionState).toBe('open')
  })

  test('answers requests that came in one packet in their order, slow ones too', async () => {
    const server = serve(async request => {
      for (let turn = 0; request.url === '/a' && turn < 10; turn++) await nextTurn()
      return echo(request)
    })
    const client = connectTo(server).send(
      getRequest('/a') + postRequest('one') + getRequest('/b') + postRequest('two', '/p') + getRequest('/c'),
    )
    expect(await readBodies(client, 5)).toEqual([
      'GET /a ',
      'POST / one',
      'GET /b ',
      'POST /p two',
      'GET /c ',
    ])
  })

  test('takes a hundred requests in one packet while their client reads late', async () => {
    const server = serve(({ url }) => new Response(url.padEnd(40_000, '.')))
    const client = connectTo(server)
    client.socket.pause()
    client.send(
      Array.from({ length: 100 }, (_, at) => getRequest(`/${at}`, `X: ${'y'.repeat(1000)}`)).join(''),
    )
    await until(() => server.pendingRequests === 1)
    client.socket.resume()
    const got = await readBodies(client, 100)
    expect(got.map(body => Number.parseInt(body.slice(1), 10))).toEqual(Array.from(got, (_, at) => at))
    expect(got.every(body => body.length === 40_000)).toBe(true)
  })

  test('takes requests that come byte by byte', async () => {
    const client = connectTo(serve(echo))
    const body = `${requestText('POST', '/c', 'Transfer-Encoding: chunked')}${chunksOf('ab', 'c')}`
    for (const byte of getRequest('/a') + postRequest('hello') + body) {
      client.send(byte)
      await new Promise(setImmediate)
    }
    expect(await readBodies(client, 3)).toEqual(['GET /a ', 'POST / hello', 'POST /c abc'])
  })

  test('takes empty lines before a request', async () => {
    const client = connectTo(serve(echo)).send(`\r\n\r\n${postRequest('a')}\r\n${getRequest('/b')}`)
    expect(await readBodies(client, 2)).toEqual(['POST / a', 'GET /b '])
    client.send('\r')
    await nextTurn()
    client.send('\n')
    await nextTurn()
    expect(await readBodies(client.send(getRequest('/c')), 1)).toEqual(['GET /c '])
  })

  test('takes a hundred empty lines before a request and no more', async () => {
    const server = serve(echoPath)
    const few = connectTo(server)
      .send('\r\n'.repeat(50))
      .send(`${'\r\n'.repeat(50)}${getRequest('/a')}${getRequest('/b')}`)
    expect(await readBodies(few, 2)).toEqual(['/a', '/b'])
    expect((await connectTo(server).send('\r\n'.repeat(101)).answer()).status).toBe(400)
  })

  test.each([
    ['HTTP/1.0', 'GET /a HTTP/1.0\r\n\r\n'],
    ['Connection: close', getRequest('/a', 'Connection: close')],
  ])('ends with the answer to %s', async (_, request) => {
    const client = connectTo(serve(echoPath)).send(request + getRequest('/more'))
    const { headers, body } = await client.answer()
    expect([headers.get('Connection'), body.toString()]).toEqual(['close', '/a'])
    expect(await client.waitForEnd()).toBe('ended')
    expect(client.text).toBe('')
  })

  test('that its client ends after a request has its answer when that is known', async () => {
    const client = connectTo(serve(echoPath))
    client.socket.end(getRequest('/a'))
    expect(await readBodies(client, 1)).toEqual(['/a'])
    expect(await client.waitForEnd()).toBe('ended')
  })

  test('tells the address of its client', async () => {
    const client = connectTo(serve(({ peer }) => new Response(peer))).send(getRequest('/'))
    expect(await readBodies(client, 1)).toEqual(['127.0.0.1'])
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
    at.map(to => ({ wire: getRequest(to), answer: `GET ${to} ` })),
    fc.tuple(at, text).map(([to, body]) => ({ wire: postRequest(body, to), answer: `POST ${to} ${body}` })),
    fc
      .tuple(
        at,
        fc.array(
          text.filter(part => part !== ''),
          { maxLength: 3 },
        ),
      )
      .map(([to, parts]) => ({
        wire: requestText('POST', to, 'Transfer-Encoding: chunked') + chunksOf(...parts),
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
      { grace: 5000, maxPause: 5000, maxDuration: 5000, bytes: 1_000_000 },
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
      expect(await readBodies(client, sent.length)).toEqual(expected)
      expect([client.connectionState, client.text, server.pendingRequests]).toEqual(['open', '', 0])
      client.socket.destroy()
    })
    await fc.assert(property, { numRuns: 100 })
  })
})
