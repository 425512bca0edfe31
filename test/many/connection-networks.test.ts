/** Connections are limited per network: clients of two networks. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { beginUpload, crowdLines, figure, startLimited } from '../support/limited-connections.ts'
import { networkProblem, openNetwork } from '../support/network.ts'
import { head, openRaw, type RawConnection } from '../support/raw.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const problem = await networkProblem()
const name = 'one network has a quarter of the connections, and the clients of another are served'
test.skipIf(problem !== null)(problem === null ? name : `${name}: ${problem}`, async () => {
  await using network = openNetwork()
  await using service = await startLimited({ ...network, host: '0.0.0.0' })
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

  // Idle connections of one network are closed in favour of others of the same network only.
  const calm = await from(other)
  const idle: RawConnection[] = []
  while (idle.length < 3 * limit) idle.push(await from(crowded))
  await eventually('the first are closed', () => idle.filter(({ closed }) => closed).length >= 2 * limit)
  expect(idle.slice(-limit).map(({ closed }) => closed)).not.toContain(true)
  expect(calm.closed).toBe(false)
  const around = `${crowded.replace(/\.\d+$/, '')}.0/24`
  expect(crowdLines(service)).toMatchObject([{ level: 'warn', network: around }])

  // While all of them are busy, the next one of this network is refused, and those of the other network are
  // not.
  const token = await service.createToken()
  let begun = 0
  const refused = await eventually('a refusal', async () => {
    // A connection whose head has not arrived yet is idle and may be closed for the next one.
    await beginUpload(await from(crowded), token, `busy/${begun++}.bin`)
    const answer = await health(crowded)
    return answer.status === 503 && answer
  })
  expect(refused.headers.get('x-fehler-code')).toBe('connections-crowded')
  for (let at = 0; at < 5; at++) expect((await health(other)).status).toBe(200)
  expect(await figure(elsewhere, 'fundus_connections')).toBeLessThan(2 * limit)
})
