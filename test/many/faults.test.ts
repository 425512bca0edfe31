/**
 * A part that is gone, hangs or disconnects: a sentence within the time limit, nothing half-written, and
 * recovery by itself.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { bytesOf, expectError, expectSameBytes } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { type Ceph, findCeph, SMALL_KEY, SMALL_QUOTA, startCeph } from '../support/ceph.ts'
import { onDatabase } from '../support/data-folder.ts'
import { mountProblem, mountReadOnly, unmount } from '../support/mounts.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { listBucket } from '../support/s3.ts'
import { type Service, startService } from '../support/service.ts'
import { makePlace } from '../support/shared-place.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { findTool, needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

let postgres: PostgresServer
let ceph: Ceph
let proxy: TcpProxy
let service: Service
let token: string
beforeAll(async () => {
  if (!findTool('postgresql', findPostgres) || !findTool('radosgw', findCeph)) return
  const servers = await Promise.all([startPostgres({ flushed: true }), startCeph()])
  postgres = servers[0]
  ceph = servers[1]
  proxy = await startTcpProxy({ port: Number(new URL(ceph.place.endpoint).port) })
  const place = await makePlace(postgres, { ...ceph.place, endpoint: `http://127.0.0.1:${proxy.port}` })
  service = await startService({ place, env: { FUNDUS_TEST_UNFLUSHED: '' } })
  token = await service.createToken()
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  await ceph?.[Symbol.asyncDispose]()
  await postgres?.stop()
})

const put = (path: string, body: string | Uint8Array<ArrayBuffer>, instance = 0) =>
  fetch(`${service.instances[instance]!.url}/api/upload`, {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${token}`, 'X-Path': path },
  })
const get = (path: string, instance = 0) => fetch(`${service.instances[instance]!.url}/f/${path}`)

/** Expects 503 with a sentence, within 10 s. */
async function expectUnavailable(asked: Promise<Response>): Promise<void> {
  const begun = performance.now()
  await expectError(await asked, 503)
  expect(performance.now() - begun).toBeLessThan(10_000)
}

/** Waits until both instances store and read again. */
const well = () =>
  eventually('both instances are well again', async () => {
    for (const instance of [0, 1]) {
      const path = `well/${instance}.txt`
      if ((await put(path, 'well', instance)).status !== 200) return false
      if ((await get(path, 1 - instance)).status !== 200) return false
    }
    return true
  })

test('PostgreSQL killed: 503 with a sentence within 10 s, and well again by itself', async () => {
  expect((await put('kept/a.txt', 'kept')).status).toBe(200)
  await postgres.kill9()
  try {
    await Promise.all([expectUnavailable(put('lost/a.txt', 'x')), expectUnavailable(get('kept/a.txt', 1))])
    const status = await fetch(`${service.instances[0]!.url}/status`)
    expect([status.status, ((await status.json()) as { stand: string }).stand]).toEqual([503, 'gestoert'])
  } finally {
    await postgres.start()
  }
  await well()
  expect(await (await get('kept/a.txt', 1)).text()).toBe('kept')
  expect((await get('lost/a.txt')).status).toBe(404)
})

test('PostgreSQL hung: 503 with a sentence within 10 s, and well again by itself', async () => {
  const goOn = postgres.pause()
  try {
    await Promise.all([expectUnavailable(put('hung/a.txt', 'x')), expectUnavailable(get('kept/a.txt', 1))])
  } finally {
    goOn()
  }
  await well()
})

test('the connection lost in COMMIT: 503, and the file is whole or absent, never a row without bytes', async () => {
  await onDatabase(
    service.dataDir,
    `create function cut() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`,
  )
  await onDatabase(
    service.dataDir,
    `create constraint trigger cut after insert on media deferrable initially deferred
      for each row when (new.path = 'commit/a.txt') execute function cut()`,
  )
  await expectUnavailable(put('commit/a.txt', 'never'))
  expect((await get('commit/a.txt', 1)).status).toBe(404)
  await onDatabase(service.dataDir, 'drop trigger cut on media')
  expect((await put('commit/a.txt', 'now')).status).toBe(200)
  expect(await (await get('commit/a.txt', 1)).text()).toBe('now')
})

test('the gateway killed: 503, what is cached is still served, and well again by itself', async () => {
  expect((await put('gate/a.txt', 'cached here')).status).toBe(200)
  await ceph.killGateway()
  try {
    expect(await (await get('gate/a.txt', 0)).text()).toBe('cached here')
    await Promise.all([expectUnavailable(get('gate/a.txt', 1)), expectUnavailable(put('gate/b.txt', 'x'))])
  } finally {
    await ceph.startGateway()
  }
  await well()
  expect(await (await get('gate/a.txt', 1)).text()).toBe('cached here')
  expect((await get('gate/b.txt')).status).toBe(404)
})

test('the gateway paused: 503 with a sentence, and well again by itself', async () => {
  expect((await put('pause/a.txt', 'there')).status).toBe(200)
  ceph.pauseGateway()
  try {
    for (const answer of await Promise.all([get('pause/a.txt', 1), put('pause/b.txt', 'x')]))
      await expectError(answer, 503)
  } finally {
    ceph.resumeGateway()
  }
  await well()
  expect(await (await get('pause/a.txt', 1)).text()).toBe('there')
})

test('the gateway cut off in the middle of an answer: 503 or a broken connection, and nothing torn is kept', async () => {
  const bytes = randomBytes(7, 3_000_000)
  expect((await put('cut/a.bin', bytes)).status).toBe(200)
  proxy.limit(1_000_000, 'cut')
  try {
    const outcome = await get('cut/a.bin', 1)
      .then(
        async answer => (answer.ok ? (await bytesOf(answer)).length : answer.status),
        () => 'broken',
      )
      .catch(() => 'broken')
    expect(['broken', 503]).toContain(outcome)
  } finally {
    proxy.limit(null)
  }
  expectSameBytes(await bytesOf(await get('cut/a.bin', 1)), bytes)
  expectSameBytes(await bytesOf(await get('cut/a.bin', 1)), bytes)
})

test('a full store: the sentence of a full disk, 507, and smaller files still fit', async () => {
  const place = await makePlace(postgres, { ...ceph.place, ...SMALL_KEY })
  await using small = await startService({ place, instances: 1 })
  const key = await small.createToken()
  const send = (path: string, size: number) =>
    fetch(`${small.url}/api/upload`, {
      method: 'POST',
      body: randomBytes(3, size),
      headers: { Authorization: `Bearer ${key}`, 'X-Path': path },
    })
  expect((await send('a.bin', 1000)).status).toBe(200)
  await expectError(await send('b.bin', SMALL_QUOTA + 1), 507)
  expect((await fetch(`${small.url}/f/b.bin`)).status).toBe(404)
  expect((await send('c.bin', 1000)).status).toBe(200)
})

test.each<[string, () => Promise<() => unknown>]>([
  [
    'killed',
    async () => {
      await postgres.kill9()
      return () => postgres.start()
    },
  ],
  ['hung', async () => postgres.pause()],
])('an instance that is stopped while PostgreSQL is %s ends in time, cleanly', async (_, breakDown) => {
  const place = await makePlace(postgres, ceph.place)
  await using own = await startService({ place, instances: 1, ownProcess: true })
  const key = await own.createToken()
  const headers = { Authorization: `Bearer ${key}`, 'X-Path': 'a.txt' }
  expect((await fetch(`${own.url}/api/upload`, { method: 'POST', body: 'x', headers })).status).toBe(200)
  // A retrieval that has not been written to the database yet.
  expect(await (await fetch(`${own.url}/f/a.txt`)).text()).toBe('x')
  const mend = await breakDown()
  try {
    const begun = performance.now()
    expect(await own.stop()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(45_000)
  } finally {
    await mend()
  }
  const told = own.logs().map(({ message }) => message)
  expect(told).toEqual(expect.arrayContaining(['counters could not be written', 'stopped']))
  for (const line of own.output().trimEnd().split('\n')) expect(line).toStartWith('{')
})

describe('the cache of an instance', () => {
  const unmountable = mountProblem()
  const name =
    'cannot be written: /status says so, files are served and stored all the same, and nothing is left in the store'
  test.skipIf(unmountable !== null)(unmountable === null ? name : `${name}: ${unmountable}`, async () => {
    const place = await makePlace(postgres, ceph.place)
    await using own = await startService({ place, instances: 1, ownProcess: true })
    const key = await own.createToken()
    const cache = join(own.dataDir, 'cache')
    mountReadOnly(cache)
    try {
      const status = await fetch(`${own.url}/status`)
      const { stand, pruefungen } = (await status.json()) as Status
      expect([status.status, stand]).toEqual([503, 'gestoert'])
      expect(pruefungen.filter(({ ok }) => !ok).map(({ was }) => was)).toEqual(['platte'])
      const bytes = randomBytes(9, 400_000)
      const headers = { Authorization: `Bearer ${key}`, 'X-Path': 'a.bin' }
      const stored = await fetch(`${own.url}/api/upload`, { method: 'POST', body: bytes, headers })
      expect(stored.status).toBe(200)
      const read = await fetch(`${own.url}/f/a.bin`)
      expect(read.headers.get('content-length')).toBe('400000')
      expectSameBytes(await bytesOf(read), bytes)
    } finally {
      unmount(cache)
    }
    expect((await listBucket(place.bucket)).filter(each => each.startsWith('probe/'))).toEqual([])
    await own.restart()
    expect((await fetch(`${own.url}/status?streng=1`)).status).toBe(200)
  })
})

interface Status {
  stand: string
  pruefungen: { was: string; ok: boolean }[]
}

test('after all of it `fundus check` finds nothing wrong', async () => {
  const { code, stdout, stderr } = await service.command('check')
  expect([code, stdout, stderr]).toEqual([0, expect.any(String), ''])
})
