import { describe, expect, test } from 'bun:test'
import { nextTurn } from '../../../test/support/wait.ts'
import { localFileRange } from '../../storage/local/local-object.ts'
import { FileAnswer, ReadyAnswer, StreamAnswer } from './answers.ts'
import {
  getRequest,
  type Handler,
  manualStream,
  requestText,
  until,
  useFiles,
  useServers,
} from './testing.ts'

const { serve, connectTo } = useServers()
const { fileOf } = await useFiles()

describe('an answer before the end of the body', () => {
  const limits = { grace: 40, maxPause: 60, maxDuration: 2000, bytes: 50_000_000 }
  const tooLarge: Handler = () => new Response('too large', { status: 413 })
  const inChunks = requestText('POST', '/', 'Transfer-Encoding: chunked')

  test('is read whole by a client that sends on, and ends the connection', async () => {
    const server = serve(tooLarge, limits)
    const client = connectTo(server).send(requestText('POST', '/', 'Content-Length: 100000000'))
    for (let sent = 0; client.text === '' && sent < 400; sent++) {
      client.send(Buffer.alloc(50_000))
      await nextTurn()
    }
    for (let sent = 0; sent < 20; sent++) client.send(Buffer.alloc(50_000))
    const { status, headers, body } = await client.answer()
    expect([status, headers.get('Connection'), body.toString()]).toEqual([413, 'close', 'too large'])
    expect(server.pendingRequests).toBe(0)
    expect(await client.waitForEnd()).toBe('ended')
  })

  test('keeps the connection when the body ends soon', async () => {
    const client = connectTo(serve(tooLarge, { ...limits, grace: 2000, maxPause: 2000 }))
    client.send(requestText('POST', '/', 'Content-Length: 200000'))
    for (const _ of [1, 2]) {
      client.send(Buffer.alloc(100_000))
      await nextTurn()
    }
    const { status, headers } = await client.answer()
    expect([status, headers.get('Connection')]).toEqual([413, null])
    client.send(`${inChunks}3\r\nabc`)
    await nextTurn()
    client.send(`\r\n0\r\n\r\n${getRequest('/')}`)
    expect(await client.statuses(2)).toEqual([413, 413])
  })

  test('comes after the grace when the sender has fallen silent', async () => {
    const server = serve(tooLarge, limits)
    const client = connectTo(server).send(`${requestText('POST', '/', 'Content-Length: 100')}abc`)
    const { status, headers } = await client.answer()
    expect([status, headers.get('Connection')]).toEqual([413, 'close'])
    expect(await client.waitForEnd()).toBe('ended')
    expect(server.pendingRequests).toBe(0)
  })

  test('comes as well when more bytes follow than are waited for', async () => {
    const server = serve(tooLarge, { ...limits, bytes: 1000 })
    const client = connectTo(server)
      .send(requestText('POST', '/', 'Content-Length: 5000'))
      .send(Buffer.alloc(2000))
    const { status, headers } = await client.answer()
    expect([status, headers.get('Connection')]).toEqual([413, 'close'])
    await client.waitForEnd()
    expect(server.pendingRequests).toBe(0)
  })

  test('is forgotten with its client', async () => {
    const server = serve(tooLarge, limits)
    const client = connectTo(server).send(requestText('POST', '/', 'Content-Length: 100'))
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    // Another answer comes after its grace period, so that of the first is over too.
    expect(
      (
        await connectTo(server)
          .send(`${requestText('POST', '/', 'Content-Length: 9')}abc`)
          .answer()
      ).status,
    ).toBe(413)
    expect(server.pendingRequests).toBe(0)
  })

  test('is cancelled with its client if it is a stream', async () => {
    const source = manualStream()
    const server = serve(() => new StreamAnswer(source.stream), limits)
    const client = connectTo(server).send(inChunks)
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => source.cancelled, 500)
  })

  test('is freed with its client if it lay ready', async () => {
    const ready = new ReadyAnswer(200, {}, Buffer.alloc(1000))
    const server = serve(() => ready.acquire(), limits)
    const client = connectTo(server).send(inChunks)
    await until(() => server.pendingRequests === 1)
    client.socket.destroy()
    await until(() => server.pendingRequests === 0)
    const wire = ready.bytes()
    ready.retire()
    expect(wire.length).toBe(0)
  })

  test('gives way to the refusal of a body that is none', async () => {
    const source = manualStream()
    const server = serve(() => new StreamAnswer(source.stream), { ...limits, grace: 2000, maxPause: 2000 })
    const client = connectTo(server).send(inChunks)
    await until(() => server.pendingRequests === 1)
    source.give('one')
    client.send('zz\r\n')
    expect((await client.answer()).status).toBe(400)
    await client.waitForEnd()
    expect([client.text, source.cancelled]).toEqual(['', true])
  })

  test('is not broken into by the refusal of a body that is none', async () => {
    const file = fileOf('way', Buffer.alloc(20_000_000, 'x'))
    const server = serve(() => new FileAnswer(localFileRange(file, { start: 0, end: 20_000_000 })), limits)
    const client = connectTo(server)
    client.socket.pause()
    client.send(inChunks)
    await Bun.sleep(80)
    client.send('zz\r\n')
    await Bun.sleep(10)
    client.socket.resume()
    await client.waitForEnd()
    expect(client.answerCount).toBeLessThan(2)
  })
})
