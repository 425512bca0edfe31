/**
 * An answer that is lost or damaged on its way: the client is told what really happened, and nothing is left
 * behind.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { bytesOf, expectError, expectSameBytes } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { onDatabase } from '../support/data-folder.ts'
import { listBucket } from '../support/s3.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { type Machine, useTwoMachines } from '../support/two-machines.ts'
import { eventually } from '../support/wait.ts'

const machines = useTwoMachines()
let store: TcpProxy
/** A machine that reaches the store through the proxy. */
let far: Machine
beforeAll(async () => {
  if (!machines()) return
  store = await startTcpProxy({ port: Number(new URL(machines().ceph.place.endpoint).port) })
  far = await machines().start({ env: { S3_ENDPOINT: `http://127.0.0.1:${store.port}` } })
})
afterAll(() => store?.[Symbol.asyncDispose]())

describe('the answer to COMMIT', () => {
  test('lost after it was carried out: the upload is answered as stored, and it is', async () => {
    const { one, other } = machines()
    const stop = one.proxy.stopAt(/^commit$/, 'lose-answer')
    const upload = one.put('commit/stored.txt', 'stored')
    await stop.reached
    expect((await upload).status).toBe(200)
    expect(await (await other.get('commit/stored.txt')).text()).toBe('stored')
    const [{ n } = { n: 0 }] = await onDatabase<{ n: number }>(
      one.service.dataDir,
      "select count(*)::int as n from history where path = 'commit/stored.txt'",
    )
    expect(n).toBe(1)
  })

  test.each(['cut', 'hold'] as const)(
    'never sent (%s): 503 within 10 s, nothing is stored, and the object goes',
    async fate => {
      const { one, other, place } = machines()
      const path = `commit/${fate}.txt`
      const stop = one.proxy.stopAt(/^commit$/, fate)
      const upload = one.put(path, 'never')
      await stop.reached
      if (fate === 'hold') one.proxy.vanish()
      const begun = performance.now()
      const answer = await upload
      expect(performance.now() - begun).toBeLessThan(10_000)
      one.proxy.comeBack()
      expect(answer.status).toBe(503)
      expect((await other.get(path)).status).toBe(404)
      await eventually('the object is removed', async () => {
        return !(await listBucket(place.bucket)).some(name => name.includes(`commit/${fate}`))
      })
    },
  )
})

test('an outage of the database under load: what failed uploads left is removed, and the sweep has nothing to keep', async () => {
  const { one, other, place } = machines()
  const uploads = async () => {
    const objects = await listBucket(place.bucket)
    return objects.filter(name => name.startsWith('files/outage/')).length
  }
  // The objects are written, and no transaction can begin any more.
  const stop = one.proxy.stopAt(/pg_advisory_xact_lock/, 'hold')
  const answers = Array.from({ length: 30 }, (_, n) => one.put(`outage/${n}.txt`, 'x'))
  await stop.reached
  one.proxy.vanish()
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
  expect([...statuses]).toEqual([503])
  one.proxy.comeBack()
  await eventually('nothing is left of them', async () => (await uploads()) === 0)
  const { code, stdout } = await other.service.command('sweep', '--older-than', '0')
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ removed: [], heldBack: 0 })])
})

describe('bytes damaged on their way from the store', () => {
  const damage = (chunk: Buffer) => {
    const at = chunk.lastIndexOf('AAAA')
    if (at >= 0) chunk[at] = 66
    return chunk
  }

  test.each([10_000, 600_000])('%p bytes, once: fetched again, and whole', async length => {
    const bytes = randomBytes(5, length).fill(65)
    expect((await machines().one.put(`damaged/once-${length}.bin`, bytes)).status).toBe(200)
    let left = 1
    store.alter(chunk => (chunk.includes('AAAA') && left-- > 0 ? damage(chunk) : chunk))
    try {
      expectSameBytes(await bytesOf(await far.get(`damaged/once-${length}.bin`)), bytes)
    } finally {
      store.alter(null)
    }
  })

  test('again and again: 503 with a sentence, and whole once the way is good', async () => {
    const bytes = randomBytes(6, 10_000).fill(65)
    expect((await machines().one.put('damaged/always.bin', bytes)).status).toBe(200)
    store.alter(damage)
    try {
      await expectError(await far.get('damaged/always.bin'), 503)
    } finally {
      store.alter(null)
    }
    expectSameBytes(await bytesOf(await far.get('damaged/always.bin')), bytes)
  })
})

test('a machine whose clock is an hour ahead stores and reads: it signs by the clock of the database', async () => {
  const { other, start } = machines()
  const preload = `--preload=${join(import.meta.dir, 'clock-ahead.ts')}`
  const ahead = { BUN_OPTIONS: preload, FUNDUS_TEST_CLOCK_AHEAD_MS: '3600000' }
  const late = await start({ ownProcess: true, env: ahead })
  const [line] = late.service.logs().filter(({ message }) => message === 'listening')
  expect(Date.parse(String(line?.time))).toBeGreaterThan(Date.now() + 3_000_000)
  expect((await late.put('clock/a.txt', 'by the common clock')).status).toBe(200)
  expect(await (await other.get('clock/a.txt')).text()).toBe('by the common clock')
})
