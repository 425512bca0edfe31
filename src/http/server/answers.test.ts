import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { nextTurn } from '../../../test/support/wait.ts'
import { localFileRange } from '../../storage/local/local-object.ts'
import { type Answer, FileAnswer, ReadyAnswer, StreamAnswer } from './answers.ts'
import {
  type Client,
  getRequest,
  type Handler,
  type ReceivedAnswer,
  readBodies,
  requestText,
  sha256,
  until,
  useFiles,
  useServers,
} from './testing.ts'

const { serve, connectTo } = useServers()
const { fileOf } = await useFiles()

describe('an answer', () => {
  test.each([
    ['', 0],
    ['text', 4],
  ])('has its length and its date: %j', async (text, length) => {
    const client = connectTo(serve(() => new Response(text, { status: 201, headers: { 'X-A': 'b' } })))
    const before = Date.now()
    const { status, headers, body } = await client.send(getRequest('/')).answer()
    expect([status, headers.get('Content-Length'), headers.get('X-A')]).toEqual([201, String(length), 'b'])
    expect(headers.has('Transfer-Encoding')).toBe(false)
    expect(body.toString()).toBe(text)
    expect(Date.parse(headers.get('Date')!)).toBeWithin(before - 2000, Date.now() + 1)
  })

  test('of three megabytes comes whole, to a slow reader too', async () => {
    const bytes = randomBytes(3_000_000)
    const server = serve(() => new Response(bytes))
    const client = connectTo(server)
    client.socket.pause()
    client.send(getRequest('/') + getRequest('/'))
    await until(() => server.pendingRequests === 1)
    client.socket.resume()
    for (const _ of [1, 2]) expect(sha256((await client.answer()).body)).toBe(sha256(bytes))
  })

  test('comes whole to a client that sends on after Connection: close', async () => {
    const client = connectTo(serve(() => new Response('x'.repeat(3_000_000))))
    client.send(getRequest('/', 'Connection: close')).send(Buffer.alloc(1_000_000, 'x'))
    expect((await client.answer()).body.length).toBe(3_000_000)
  })

  test('to HEAD has the length of the body and no body', async () => {
    const file = fileOf('head', Buffer.from('0123456789'))
    const answers: Record<string, () => Answer> = {
      '/bytes': () => new Response('text'),
      '/said': () => new Response(null, { headers: { 'Content-Length': '12345' } }),
      '/file': () => new FileAnswer(localFileRange(file, { start: 2, end: 9 })),
      // The store that it comes from is gone.
      '/stream': () =>
        new StreamAnswer(new ReadableStream({ cancel: () => Promise.reject(new Error('gone')) }), {
          headers: { 'Content-Length': '5' },
        }),
    }
    const client = connectTo(serve(({ url }) => answers[url]!()))
    for (const [at, length] of Object.entries({
      '/bytes': '4',
      '/said': '12345',
      '/file': '7',
      '/stream': '5',
    })) {
      const { headers } = await client.send(requestText('HEAD', at)).answer('HEAD')
      expect(headers.get('Content-Length')).toBe(length)
    }
    // Exactly these bytes, followed by the next answer.
    expect(await readBodies(client.send(getRequest('/bytes')), 1)).toEqual(['text'])
    expect(client.text).toBe('')
  })

  test.each([204, 304])('%d has neither a body nor a length', async status => {
    const client = connectTo(serve(() => new Response(null, { status }))).send(
      getRequest('/') + getRequest('/'),
    )
    for (const _ of [1, 2]) {
      const { headers, status: got } = await client.answer()
      expect([got, headers.get('Content-Length'), headers.get('Transfer-Encoding')]).toEqual([
        ...[status, null, null],
      ])
    }
    expect(client.text).toBe('')
  })

  test.each([204, 304])('%d has no body even if its handler gave one', async status => {
    const client = connectTo(serve(() => new Response('x', { status }))).send(
      getRequest('/') + getRequest('/'),
    )
    expect(await client.statuses(2)).toEqual([status, status])
    expect(client.text).toBe('')
  })

  test('keeps the cookies apart and the letters beyond ASCII', async () => {
    const headers: [string, string][] = [
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X', '\xe4'],
    ]
    const client = connectTo(serve(() => new Response('', { headers }))).send(getRequest('/'))
    await until(() => client.text.endsWith('\r\n\r\n'))
    expect(client.text.match(/set-cookie: .*/gi)?.map(line => line.slice(-3))).toEqual(['a=1', 'b=2'])
    expect(client.text).toMatch(/x: \xe4\r\n/i)
  })

  test('is that of the error when the handler throws or rejects or has no answer', async () => {
    const failures: Record<string, () => Answer | Promise<Answer>> = {
      '/throws': () => {
        throw new Error('thrown')
      },
      '/rejects': () => Promise.reject(new Error('rejected')),
      '/nothing': () => undefined as unknown as Answer,
    }
    const client = connectTo(serve(({ url }) => failures[url]!()))
    client.send(
      getRequest('/throws') + getRequest('/rejects') + getRequest('/nothing') + getRequest('/throws'),
    )
    const [thrown, rejected, nothing, again] = await readBodies(client, 4)
    expect([thrown, rejected, again]).toEqual(['error: thrown', 'error: rejected', 'error: thrown'])
    expect(nothing).toStartWith('error: ')
  })

  test('to an error, if it cannot be made, breaks only its connection', async () => {
    const fetch: Handler = ({ url }) =>
      url === '/bad' ? Promise.reject(new Error('first')) : new Response(url)
    const error = () => {
      throw new Error('second')
    }
    const server = serve(fetch, undefined, { error })
    const other = connectTo(server)
    await connectTo(server).send(getRequest('/bad')).waitForEnd()
    expect(await readBodies(other.send(getRequest('/a')), 1)).toEqual(['/a'])
  })
})

describe('an answer that lies ready', () => {
  test('goes to many connections at once', async () => {
    const body = randomBytes(200_000)
    const ready = new ReadyAnswer(200, { 'X-A': 'b' }, body)
    const server = serve(() => ready.acquire())
    const readers = Array.from({ length: 30 }, () =>
      connectTo(server).send(getRequest('/') + getRequest('/')),
    )
    for (const reader of readers)
      for (const _ of [1, 2]) {
        const got = await reader.answer()
        expect([got.headers.get('X-A'), sha256(got.body)]).toEqual(['b', sha256(body)])
      }
  })

  test('tells the present date each time', async () => {
    const ready = new ReadyAnswer(304, {}, null)
    const client = connectTo(serve(() => ready.acquire()))
    const now = Date.now
    try {
      for (const year of [2031, 2032]) {
        Date.now = () => Date.UTC(year, 0, 2)
        const { headers } = await answerWithoutClock(client.send(getRequest('/')))
        expect(new Date(headers.get('Date')!).toISOString()).toBe(`${year}-01-02T00:00:00.000Z`)
      }
    } finally {
      Date.now = now
    }
  })

  test.each(['keep-alive', 'close'])(
    'goes out whole although it was dropped meanwhile: %s',
    async connection => {
      const body = randomBytes(8_000_000)
      const ready = new ReadyAnswer(200, {}, body)
      let isHandedOut = false
      const server = serve(() => {
        isHandedOut = true
        return ready.acquire()
      })
      const client = connectTo(server)
      client.socket.pause()
      client.send(getRequest('/', `Connection: ${connection}`))
      await until(() => isHandedOut)
      await nextTurn()
      ready.retire()
      client.socket.resume()
      expect(sha256((await client.answer()).body)).toBe(sha256(body))
    },
  )

  test('is freed after the last reader, also after one that has left', async () => {
    const ready = new ReadyAnswer(200, {}, randomBytes(8_000_000))
    const server = serve(() => ready.acquire())
    const client = connectTo(server)
    client.socket.pause()
    client.send(getRequest('/'))
    await until(() => server.pendingRequests === 1)
    ready.retire()
    expect(ready.bytes().length).toBeGreaterThan(8_000_000)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    expect(ready.bytes().length).toBe(0)
  })

  test('has no body for HEAD', async () => {
    const ready = new ReadyAnswer(200, {}, Buffer.from('body'))
    const client = connectTo(serve(() => ready.acquire())).send(requestText('HEAD', '/'))
    expect((await client.answer('HEAD')).headers.get('Content-Length')).toBe('4')
    expect(client.text).toBe('')
  })
})

/** Like `Client.answer`, which uses the clock. */
async function answerWithoutClock(client: Client): Promise<ReceivedAnswer> {
  for (let turn = 0; turn < 1000 && !client.text.endsWith('\r\n\r\n'); turn++) await Bun.sleep(1)
  return client.answer()
}
