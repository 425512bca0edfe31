/**
 * A machine whose network is cut, with real interfaces: PostgreSQL itself has to notice that its client is
 * gone.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { findCeph } from '../support/ceph.ts'
import { networkProblem, openNetwork } from '../support/network.ts'
import { findPostgres } from '../support/postgres.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { needsTool } from '../support/tools.ts'
import { startTwoMachines } from '../support/two-machines.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(300_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

const problem = await networkProblem()
const name =
  'cut off while it holds the common lock: the other machine stores, the connections of the first are given up, and it comes back'

test.skipIf(problem !== null)(problem === null ? name : `${name}: ${problem}`, async () => {
  await using network = openNetwork()
  const [{ here, inside }] = network.ways
  await using machines = await startTwoMachines({ address: here })
  const { other, place, ceph, token } = machines
  await using store = await startTcpProxy({ port: Number(new URL(ceph.place.endpoint).port) }, here)
  const cut = await machines.start({
    wrapper: [...network.wrapper],
    env: {
      HOST: '0.0.0.0',
      DATABASE_URL: place.databaseUrl.replace('127.0.0.1', here),
      S3_ENDPOINT: `http://${here}:${store.port}`,
    },
  })
  const address = `http://${inside}:${cut.service.instances[0]!.run.port}`
  const put = (path: string, signal = AbortSignal.timeout(10_000)) => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Path': path }
    return fetch(`${address}/api/upload`, { method: 'POST', body: path, headers, signal, keepalive: false })
  }
  expect((await put('cut/before.txt')).status).toBe(200)

  await using asked = new SQL(place.databaseUrl, { max: 1 })
  /** The sessions of the disconnected machine, filtered by what they are doing. */
  const sessions = async (where: string) =>
    (await asked.unsafe(`select pid from pg_stat_activity where client_addr = '${inside}' and ${where}`))
      .length as number

  // Its transaction has the common lock and waits for the table, as the only one.
  const table = await holdTable(place.databaseUrl)
  const uploading = new AbortController()
  const unanswered = put('cut/never.txt', uploading.signal).catch(() => null)
  await eventually('it waits for the table', async () => (await sessions(`wait_event_type = 'Lock'`)) === 1)
  network.cut()
  await table.release()
  await eventually('it holds the lock', async () => (await sessions(`state = 'idle in transaction'`)) === 1)
  expect(await sessions(`state = 'idle'`)).toBeGreaterThan(0)

  const began = Date.now()
  const answers = await Promise.all([0, 1, 2, 3].map(n => other.put(`kept/${n}.txt`, `kept ${n}`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  console.log(`network cut: the uploads of the other machine are stored after ${Date.now() - began} ms`)
  expect((await other.get('cut/never.txt')).status).toBe(404)

  // Nothing is sent on idle connections, so only the server's keepalives can detect that the client is gone.
  await eventually('all its connections are given up', async () => (await sessions('true')) === 0, 120_000)
  console.log(`network cut: its connections are given up after ${Math.round((Date.now() - began) / 1000)} s`)

  network.mend()
  uploading.abort()
  await unanswered
  await eventually(
    'the machine that is back stores again',
    async () => (await put('cut/back.txt').catch(() => null))?.status === 200,
    60_000,
  )
  expect((await other.get('cut/back.txt')).status).toBe(200)
})

/** Locks the table of files against writes until `release`. */
async function holdTable(url: string) {
  const sql = new SQL(url, { max: 1 })
  const connection = await sql.reserve()
  await connection.unsafe('begin')
  await connection.unsafe('lock table fundus.media in exclusive mode')
  return {
    async release() {
      await connection.unsafe('rollback')
      connection.release()
      await sql.close()
    },
  }
}
