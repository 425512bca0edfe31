import { afterEach, describe, expect, test } from 'bun:test'
import { createEarlyAnswers, type EarlyAnswers } from './early-answer.ts'

const WIDE = { grace: 20, pause: 60_000, whole: 60_000, bytes: 2 ** 40 }

let ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending) end()
  ending = []
})

/** A server that refuses before it has read anything. */
function refusing(early: EarlyAnswers, status = 401): number {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: request => early.finish(request, new Response('refused', { status })),
  })
  ending.push(() => void server.stop(true))
  return server.port!
}

/** Sends a head and goes on sending `piece` at every beat, until the other side hangs up; answers all it was sent. */
async function send(port: number, headers: string, piece: string, beat = 5) {
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, bytes) {
        received += bytes.toString()
      },
      close: () => resolve(received),
      error: () => resolve(received),
    },
  })
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`)
  const timer = setInterval(() => piece && socket.write(piece), beat)
  ending.push(() => {
    clearInterval(timer)
    socket.end()
  })
  return { closed: promise, received: () => received }
}

const ENDLESS = 'Content-Length: 1000000000000'
const WHOLE_ANSWER = /^HTTP\/1\.1 401 [\s\S]*Connection: close[\s\S]*refused\r\n0\r\n\r\n$/i

describe('the rest of a refused body', () => {
  test('is given up when it grows too long', async () => {
    const { closed } = await send(
      refusing(createEarlyAnswers({ ...WIDE, bytes: 100_000 })),
      ENDLESS,
      'x'.repeat(10_000),
    )
    expect(await closed).toMatch(WHOLE_ANSWER)
  })

  test('is given up when it takes too long', async () => {
    const { closed } = await send(refusing(createEarlyAnswers({ ...WIDE, whole: 200 })), ENDLESS, 'x')
    expect(await closed).toMatch(WHOLE_ANSWER)
  })

  test('is given up when nothing more comes', async () => {
    const { closed } = await send(refusing(createEarlyAnswers({ ...WIDE, pause: 100 })), ENDLESS, '')
    expect(await closed).toMatch(WHOLE_ANSWER)
  })

  test('is given up when the service stops; until then it is read, and the answer is there already', async () => {
    const early = createEarlyAnswers(WIDE)
    const { closed, received } = await send(refusing(early), ENDLESS, 'x')
    while (!received().includes('refused')) await Bun.sleep(5)
    await Bun.sleep(50)
    expect(received()).not.toEndWith('0\r\n\r\n')
    early.stop()
    expect(await closed).toMatch(WHOLE_ANSWER)
  })

  test('that comes to its end leaves the connection open', async () => {
    const { received } = await send(
      refusing(createEarlyAnswers({ ...WIDE, grace: 60_000 })),
      'Content-Length: 5',
      'abcde',
      2,
    )
    while (!received().includes('refused')) await Bun.sleep(5)
    expect(received()).not.toMatch(/connection: close/i)
    expect(received()).toMatch(/content-length: 7\r\n/i)
  })
})

test('an answer that is no refusal is sent as it is; the connection is closed with it', async () => {
  const { closed } = await send(refusing(createEarlyAnswers(WIDE), 200), ENDLESS, 'x')
  const answer = await closed
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
  expect(answer).toEndWith('\r\n\r\nrefused')
})
