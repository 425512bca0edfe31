/** Connections are limited, below the limit of descriptors: whoever opens many of them leaves room for others. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { networkProblem, openNetwork } from '../support/network.ts'
import { head, openRaw, type RawConnection, sendRaw } from '../support/raw.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const DESCRIPTORS = 256
const METRICS_TOKEN = 'for-the-figures-of-this-test'
const limited = ({ wrapper = [], host = '127.0.0.1' }: { wrapper?: readonly string[]; host?: string } = {}) =>
  startService({
    env: { WORKERS: '1', METRICS_TOKEN, HOST: host },
    mode: 'embedded',
    wrapper: [...wrapper, 'sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'],
  })

async function figure({ url }: Pick<Service, 'url'>, name: string): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers, keepalive: false })).text()
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

const told = (service: Service) =>
  service.logs().filter(({ message }) => String(message).startsWith('too many connections'))

test('400 idle connections with 256 descriptors: reads and uploads are answered, and no core burns', async () => {
  await using service = await limited()
  await using opened = new AsyncDisposableStack()
  const token = await service.createToken()
  // Not kept alive: it would be the connection that is idle longest, closed while the client believes in it.
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
  // Those that were idle longest are closed.
  expect(connections[0]!.closed).toBe(true)
  expect(told(service)).toMatchObject([{ level: 'warn', connections: limit }])
  const before = await figure(service, 'process_cpu_seconds_total')
  await Bun.sleep(1000)
  expect((await figure(service, 'process_cpu_seconds_total')) - before).toBeLessThan(0.5)
})

/** Begins an upload that then waits for its sender: a connection that is not idle. */
async function beginUpload(connection: RawConnection, token: string, path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Path': path, 'Content-Length': 1000 }
  await connection.write(`${head('POST /api/upload', headers)}begun`)
}

test('while all connections are in the middle of an upload new ones are refused with a sentence, and then taken again', async () => {
  await using service = await limited()
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
  expect(told(service)).toHaveLength(1)
  expect(service.logs().filter(({ message }) => message === 'connections-crowded')).toEqual([])
  for (const connection of uploads.splice(10, 20)) connection.close()
  await eventually('room', async () => (await sendRaw(service.port, head('GET /health'))).status === 200)
  expect(await figure(service, 'fundus_connections_crowded_total{outcome="refused"}')).toBeGreaterThan(20)
  const rest = uploads[0]!
  await rest.write(randomBytes(1, 995))
  expect((await rest.answer()).status).toBe(200)
})

const problem = await networkProblem()
const name = 'one network has a quarter of the connections, and the clients of another are served'
test.skipIf(problem !== null)(problem === null ? name : `${name}: ${problem}`, async () => {
  await using network = openNetwork()
  await using service = await limited({ ...network, host: '0.0.0.0' })
  await using opened = new AsyncDisposableStack()
  const [crowded, other] = network.ways.map(way => way.inside) as [string, string]
  const from = async (host: string) => opened.use(await openRaw(service.port, host))
  const health = async (host: string) => {
    using connection = await openRaw(service.port, host)
    await connection.write(head('GET /health', { Connection: 'close' }))
    return await connection.answer()
  }
  const elsewhere = { url: `http://${other}:${service.port}` }
  const limit = Math.floor((await figure(elsewhere, 'fundus_connections_limit')) / 4)

  // Idle connections of one network are closed for others of the same network, and for no others.
  const calm = await from(other)
  const idle: RawConnection[] = []
  while (idle.length < 3 * limit) idle.push(await from(crowded))
  await eventually('the first are closed', () => idle.filter(({ closed }) => closed).length >= 2 * limit)
  expect(idle.slice(-limit).map(({ closed }) => closed)).not.toContain(true)
  expect(calm.closed).toBe(false)
  const around = `${crowded.replace(/\.\d+$/, '')}.0/24`
  expect(told(service)).toMatchObject([{ level: 'warn', network: around }])

  // While all of them are busy the next one of this network is refused, and those of the other are not.
  const token = await service.createToken()
  let begun = 0
  const refused = await eventually('a refusal', async () => {
    // One whose head has not come yet is idle, and may be closed for the next.
    await beginUpload(await from(crowded), token, `busy/${begun++}.bin`)
    const answer = await health(crowded)
    return answer.status === 503 && answer
  })
  expect(refused.headers.get('x-fehler-code')).toBe('connections-crowded')
  for (let at = 0; at < 5; at++) expect((await health(other)).status).toBe(200)
  expect(await figure(elsewhere, 'fundus_connections')).toBeLessThan(2 * limit)
})
