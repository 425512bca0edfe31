/**
 * A process that is suspended between writing an object and its row, for longer than the sweep's minimum age
 * (here a few seconds instead of an hour): another process sweeps the object. The first one must neither
 * record it nor discard the old one.
 */
import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { bytesOf, expectError, expectSameBytes } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { findCeph } from '../support/ceph.ts'
import { findPostgres } from '../support/postgres.ts'
import { listBucket } from '../support/s3.ts'
import { startService } from '../support/service.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { needsTool } from '../support/tools.ts'
import { startTwoMachines } from '../support/two-machines.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

/** Instead of half an hour; the sweep removes objects that are a second older. */
const SOON = { FUNDUS_TEST_RECORD_MS: '1000' }
const OLDER = ['sweep', '--older-than', '2']
// Long enough to be a file of its own in every store.
const [before, after] = [randomBytes(1, 300_000), randomBytes(2, 300_000)]

/** Repeats the sweep of the other process until it has removed an object. */
const swept = (command: (...args: string[]) => Promise<{ stdout: string }>) =>
  eventually('the object is swept', async () => {
    const { removed } = JSON.parse((await command(...OLDER)).stdout) as { removed: string[] }
    return removed.length > 0 && removed
  })

test('an instance suspended while the other machine sweeps: the upload is refused, the earlier version stays', async () => {
  await using machines = await startTwoMachines()
  const { other, place, ceph, start } = machines
  await using store = await startTcpProxy({ port: Number(new URL(ceph.place.endpoint).port) })
  const env = { ...SOON, S3_ENDPOINT: `http://127.0.0.1:${store.port}` }
  const suspended = await start({ ownProcess: true, env })
  expect((await other.put('a.bin', before)).status).toBe(200)
  const known = (await listBucket(place.bucket)).length
  // The store has the object, but its answer does not arrive before the process is suspended.
  store.limit(0, 'hold')
  const upload = suspended.put('a.bin', after)
  await eventually('the object is written', async () => (await listBucket(place.bucket)).length > known)
  process.kill(suspended.service.pid, 'SIGSTOP')
  try {
    store.limit(null)
    expect(await swept(other.service.command)).toHaveLength(1)
  } finally {
    process.kill(suspended.service.pid, 'SIGCONT')
  }
  await expectError(await upload, 503)
  for (const machine of [suspended, other]) expectSameBytes(await bytesOf(await machine.get('a.bin')), before)
  expect((await suspended.put('a.bin', after)).status).toBe(200)
  expectSameBytes(await bytesOf(await other.get('a.bin')), after)
})

test('a process suspended while another one sweeps the same folder: the upload is refused, the earlier version stays', async () => {
  await using service = await startService({ mode: 'embedded', ownProcess: true, env: SOON })
  const token = await service.createToken()
  const put = (body: Uint8Array<ArrayBuffer>) =>
    fetch(`${service.url}/api/upload`, {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${token}`, 'X-Path': 'a.bin' },
    })
  const get = () => fetch(`${service.url}/f/a.bin`)
  expect((await put(before)).status).toBe(200)
  const files = () => [...new Bun.Glob('files/**').scanSync({ cwd: service.dataDir })]
  const known = files().length
  // The row cannot be written while another connection writes.
  using writer = new Database(join(service.dataDir, 'fundus.db'))
  writer.run('begin immediate')
  const upload = put(after)
  await eventually('the object is written', () => files().length > known)
  process.kill(service.pid, 'SIGSTOP')
  try {
    writer.run('rollback')
    expect(await swept(service.commandProcess)).toHaveLength(1)
  } finally {
    process.kill(service.pid, 'SIGCONT')
  }
  await expectError(await upload, 503)
  expectSameBytes(await bytesOf(await get()), before)
  expect((await put(after)).status).toBe(200)
  expectSameBytes(await bytesOf(await get()), after)
})
