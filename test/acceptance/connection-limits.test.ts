/**
 * The number of connections is limited below the limit of descriptors: a client that opens many leaves room
 * for others.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { beginUpload, crowdLines, DESCRIPTORS, figure, startLimited } from '../support/limited-connections.ts'
import { head, openRaw, type RawConnection, sendRaw } from '../support/raw.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

test('400 idle connections with 256 descriptors: reads and uploads are answered, and no core burns', async () => {
  await using service = await startLimited()
  await using opened = new AsyncDisposableStack()
  const token = await service.createToken()
  // Not kept alive: it would be the longest idle connection and be closed while the client still wants to use
  // it.
  await store(service, token, 'few/large.bin', randomBytes(1, 300_000), { Connection: 'close' })
  const connections: RawConnection[] = []
  while (connections.length < 400) connections.push(opened.use(await openRaw(service.port)))
  for (let at = 0; at < 10; at++) {
    await store(service, token, `few/${at}.bin`, randomBytes(at, 200_000))
    expect((await read(service, `few/${at}.bin`)).status).toBe(200)
    expect((await (await read(service, 'few/large.bin')).bytes()).length).toBe(300_000)
  }
  const limit = await figure(service, 'fundus_connections_limit')
  expect(limit).toBeGreaterThan(40)
  expect(limit).toBeLessThan(DESCRIPTORS / 2)
  expect(await figure(service, 'fundus_connections')).toBeLessThanOrEqual(limit)
  expect(await figure(service, 'fundus_connections_crowded_total{outcome="idle_closed"}')).toBeGreaterThan(
    300,
  )
  expect(await figure(service, 'fundus_connections_crowded_total{outcome="refused"}')).toBe(0)
  // The connections that were idle longest are closed.
  expect(connections[0]!.closed).toBe(true)
  expect(crowdLines(service)).toMatchObject([{ level: 'warn', connections: limit }])
  const before = await figure(service, 'process_cpu_seconds_total')
  await Bun.sleep(1000)
  expect((await figure(service, 'process_cpu_seconds_total')) - before).toBeLessThan(0.5)
})

test('while all connections are in the middle of an upload new ones are refused with a sentence, and then taken again', async () => {
  await using service = await startLimited()
  await using opened = new AsyncDisposableStack()
  const token = await service.createToken()
  const uploads: RawConnection[] = []
  const refused = await eventually('a refusal', async () => {
    for (let count = 0; count < 10; count++) {
      const connection = opened.use(await openRaw(service.port))
      await beginUpload(connection, token, `busy/${uploads.length}.bin`)
      uploads.push(connection)
    }
    const answer = await sendRaw(service.port, head('GET /health'))
    return answer.status === 503 && answer
  })
  expect(refused.headers.get('x-fehler-code')).toBe('connections-crowded')
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(refused.headers.get('connection')).toBe('close')
  await expectError(refused, 503)
  for (let at = 0; at < 20; at++) await sendRaw(service.port, head('GET /health')).catch(() => {})
  expect(crowdLines(service)).toHaveLength(1)
  expect(service.logs().filter(({ message }) => message === 'connections-crowded')).toEqual([])
  for (const connection of uploads.splice(10, 20)) connection.close()
  await eventually('room', async () => (await sendRaw(service.port, head('GET /health'))).status === 200)
  expect(await figure(service, 'fundus_connections_crowded_total{outcome="refused"}')).toBeGreaterThan(20)
  const rest = uploads[0]!
  await rest.write(randomBytes(1, 995))
  expect((await rest.answer()).status).toBe(200)
})
